import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanWords } from './clean-words.ts';

const hidden = {
  secrets: ['sk-live-4f9a8b7c6d5e', 'Zq7+Lm/9xT=2wE', 'searchkey0815'],
  hosts: ['models.acme.example', 'vllm-7', '10.20.30.40'],
};
const model = { id: 'writer', names: ['acme/llama3'] };
const clean = (text: string) => cleanWords(text, { hidden, model });

describe('the caller still reads', () => {
  test.each([
    'llama3.1:8b does not support tools',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    'messages.0.name: Input should be a valid string; response_format.json_schema.name is required',
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    "Invalid 'messages[0].content[1].image_url.url': expected a data URL",
    'max_completion_tokens: Extra inputs are not permitted',
    'Your organization must be verified to stream this model.',
    'The account is not active for this feature.',
    'n_ctx: 4096, n_prompt_tokens: 9000 at 12:30:45',
    'Unexpected token <|im_start|> at position 12',
    'Ungültiger Wert für „temperature“: 3 liegt über 2',
  ])('%s', (text) => {
    expect(clean(text)).toBe(text);
  });
});

describe('our own secrets, hosts and names are removed', () => {
  test.each([
    ['a key', 'bad key sk-live-4f9a8b7c6d5e here', 'bad key [removed] here'],
    ['a key in capitals', 'bad key SK-LIVE-4F9A8B7C6D5E here', 'bad key [removed] here'],
    ['a key with signs', 'bad key Zq7+Lm/9xT=2wE here', 'bad key [removed] here'],
    ['a key split by what is not seen', 'bad searchkey\u200b0815\u0000 here', 'bad [removed] here'],
    [
      'another key',
      'Incorrect API key provided: sk-abc***wxyz. Check it',
      'Incorrect API key provided: [removed] Check it',
    ],
    [
      'a header',
      'got Authorization: Bearer abcdef, want another',
      'got Authorization: [removed], want another',
    ],
    ['a digest', 'digest 9f86d081884c7d659a2feaa0c55ad015 unknown', 'digest [removed] unknown'],
    ['base64', 'blob dGhpcyBpcyBhIHNlY3JldCBrZXkgb2Ygb3Vycw== bad', 'blob [removed] bad'],
    ['a URL', 'see https://console.acme.example/keys?x=1 for more', 'see [removed] for more'],
    ['a URL in JSON', 'see "https:\\/\\/console.other.example\\/x" ok', 'see "[removed]" ok'],
    ['a host', 'models.acme.example:8443 refused', '[removed] refused'],
    ['a host of one word', 'from vllm-7:8000 came', 'from [removed] came'],
    [
      'any host',
      'upstream api.openai.com and node-3.cluster.local failed',
      'upstream [removed] and [removed] failed',
    ],
    ['an IPv4 address', 'peer 192.168.7.9:8000 closed', 'peer [removed] closed'],
    ['an IPv6 address', 'peer fe80::1ff:fe23:4567:890a closed', 'peer [removed] closed'],
    ['a mail address', 'ask ops+ai@acme.example now', 'ask [removed] now'],
    ['a folder', "no file '/home/acme/models/x.gguf' here", "no file '[removed]' here"],
    ['an organisation’s id', 'limit of org-AbC123dEf reached', 'limit of [removed] reached'],
    [
      'an organisation’s name',
      'not enabled in organization Acme Corp yet',
      'not enabled in organization [removed] yet',
    ],
    ['a name in quotes', "The project 'acme prod' has no access", 'The project [removed] has no access'],
    ['a label', 'organization: acme, tier: 2', 'organization: [removed], tier: 2'],
    ['a project’s id', 'project proj_Xy12Zw34 lacks it', 'project [removed] lacks it'],
    [
      'a path of Google',
      'model projects/acme-42/locations/eu not ready',
      'model projects/[removed]/locations/eu not ready',
    ],
    ['an ARN', 'role arn:aws:iam::123456789012:role/Bedrock may not', 'role [removed] may not'],
    ['an account number', 'Account 123456789012 may not', 'Account [removed] may not'],
    ['a UUID', 'deployment 2f1c9e7a-33aa-4b1c-9d2e-0123456789ab is gone', 'deployment [removed] is gone'],
    ['a request’s id', 'internal (request id: 2024040714324820864326815777479)', 'internal ([removed])'],
  ])('%s', (_, text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });

  test('the model’s id stays, though it looks like a host', () => {
    const words = cleanWords('chat.acme.ai has no tools', {
      hidden,
      model: { id: 'chat.acme.ai', names: [] },
    });
    expect(words).toBe('chat.acme.ai has no tools');
  });

  test('a key of few characters is removed where it is a word, and leaves other words alone', () => {
    const short = { hidden: { secrets: ['llama'], hosts: [] }, model };
    expect(cleanWords('llama: llamas has no tools', short)).toBe('[removed]: llamas has no tools');
  });
});

describe('the caller gets no words', () => {
  test.each([
    ['from a refusal that is a secret and nothing else', 'sk-live-4f9a8b7c6d5e'],
    ['from a refusal of signs alone', '\u0000\u200b ... '],
  ])('%s', (_, text) => {
    expect(clean(text)).toBeUndefined();
  });
});

test('the words are one line of at most `shownRefusalCharacters`, cut between words', () => {
  expect(clean(' a\u0000b\r\n\tc\u001b[31m\u202e ')).toBe('a b c [31m');
  const words = clean('🙂 '.repeat(2_000)) ?? clean(`a${'🙂'.repeat(2_000)}`);
  expect([...(words ?? '')]).toHaveLength(1_000);
  expect(words?.isWellFormed()).toBe(true);
  expect([...(clean('ab '.repeat(400)) ?? '')]).toHaveLength(1_000);
});

describe('a configured secret never reaches the caller', () => {
  const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/=:~ "';
  const secret = fc
    .string({ unit: fc.constantFrom(...signs), minLength: 8, maxLength: 48 })
    .filter((text) => text.replace(/[^A-Za-z0-9]/g, '').length >= 8 && !/^ | {2}| $/.test(text));
  const spellings: Record<string, (text: string) => string> = {
    'as it is': (text) => text,
    'in lower case': (text) => text.toLowerCase(),
    'in upper case': (text) => text.toUpperCase(),
    'as JSON': (text) => JSON.stringify(text),
    'URL-encoded': encodeURIComponent,
    'in base64': (text) => Buffer.from(text).toString('base64'),
    'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
    'as the base64 of its header': (text) => Buffer.from(`Bearer ${text}`).toString('base64'),
    'with what is not seen': (text) => [...text].join('\u200b'),
  };

  test.each(Object.entries(spellings))('%s', (_, spell) => {
    const around = fc.string({ unit: 'binary', maxLength: 30 });
    fc.assert(
      fc.property(secret, around, around, (key, before, after) => {
        const options = { hidden: { secrets: [key], hosts: [] }, model };
        const words = cleanWords(`no: ${before}${spell(key)}${after}`, options) ?? '';
        for (const form of [key, spell(key)]) expect(words.toLowerCase()).not.toContain(form.toLowerCase());
      }),
      { numRuns: 150 },
    );
  });

  test('at the place where the words are cut', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 900, max: 8_100 }), (key, before) => {
        const options = { hidden: { secrets: [key], hosts: [] }, model };
        expect(cleanWords(`${'ab '.repeat(before / 3)}${key} and more`, options)).not.toContain(
          key.slice(0, 6),
        );
      }),
    );
  });
});

describe('a model', () => {
  const writer = { id: 'writer', names: ['acme/up-70b', 'shared/name-7b'] };
  const judge = { id: 'judge', names: ['acme/judge-up:free', 'shared/name-7b'] };
  const known = { id: 'open-llama-8b', names: ['meta/open-llama-8b', 'reasoning', '/srv/weights.gguf'] };
  const named = (text: string, asked = writer) =>
    cleanWords(text, { hidden: { secrets: [], hosts: [], models: [judge, known, writer] }, model: asked });

  test.each([
    ['acme/up-70b is busy', 'writer is busy'],
    ['ACME/UP-70B:latest is busy', 'writer:latest is busy'],
    ['up-70b is busy', 'writer is busy'],
    ['acme/judge-up:free is busy', 'judge is busy'],
    ['/srv/weights.gguf cannot be loaded', 'open-llama-8b cannot be loaded'],
    ['no file /models/acme/up-70b/x.bin', 'no file [removed]'],
  ])('has its id in the place of its name, whichever model was asked: %s', (text, words) => {
    expect(named(text)).toBe(words);
  });

  test('that was asked has the names that other models have too', () => {
    expect(named('shared/name-7b is busy', writer)).toBe('writer is busy');
    expect(named('shared/name-7b is busy', judge)).toBe('judge is busy');
  });

  test.each([
    'open-llama-8b has no tools',
    'reasoning_effort: Extra inputs are not permitted',
    'The default reasoning of the model is off',
    'the judge and the writer disagree',
    'up-70beta is another model',
  ])('is not taken for a word of every refusal: %s', (text) => {
    expect(named(text)).toBe(text);
  });
});

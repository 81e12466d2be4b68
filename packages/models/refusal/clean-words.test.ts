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

describe('what is ours is taken out', () => {
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

  test('the upstream’s name of the model becomes ours', () => {
    expect(clean('acme/llama3 does not support tools')).toBe('writer does not support tools');
    expect(clean('ACME/LLAMA3:latest does not')).toBe('writer:latest does not');
    expect(clean('acme/llama3-70b does not')).toBe('acme/llama3-70b does not');
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
    expect(cleanWords('llama: llama3 has no tools', short)).toBe('[removed]: llama3 has no tools');
  });
});

describe('nothing is said', () => {
  test.each([
    ['where all of it was ours', 'sk-live-4f9a8b7c6d5e'],
    ['where there are only signs', '\u0000\u200b ... '],
    [
      'where a key is in base64',
      `got ${Buffer.from('x:searchkey0815').toString('base64').replace(/.{9}/g, '$& ')}`,
    ],
    ['where a key is spelled in escapes', 'got \\u0073earchkey0815'],
    ['where a key is escaped twice', 'got %2573earchkey0815'],
    ['where a key is spaced out', 'got s e a r c h k e y 0 8 1 5'],
  ])('%s', (_, text) => {
    expect(clean(text)).toBeUndefined();
  });
});

test('the words are one line of at most 1,000 characters, cut between them', () => {
  expect(clean(' a\u0000b\r\n\tc\u001b[31m\u202e ')).toBe('a b c [31m');
  const words = clean('🙂 '.repeat(2_000)) ?? clean(`a${'🙂'.repeat(2_000)}`);
  expect([...(words ?? '')]).toHaveLength(1_000);
  expect(words?.isWellFormed()).toBe(true);
  expect([...(clean('ab '.repeat(400)) ?? '')]).toHaveLength(1_000);
});

describe('no configured secret survives', () => {
  const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+/=:~'];
  const secret = fc
    .string({ unit: fc.constantFrom(...alphabet), minLength: 8, maxLength: 48 })
    .filter((text) => text.replace(/[^A-Za-z0-9]/g, '').length >= 8);
  const around = fc.string({ unit: 'binary', maxLength: 30 });
  const escaped = (text: string) =>
    [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const disguises: Record<string, (text: string, n: number) => string> = {
    'as it is': (text) => text,
    'in lower case': (text) => text.toLowerCase(),
    'in upper case': (text) => text.toUpperCase(),
    'as JSON': (text) => JSON.stringify(text),
    'as JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)),
    'in escapes of JSON': escaped,
    'with one escape of JSON': (text, n) => {
      const at = n % text.length;
      return text.slice(0, at) + escaped(text[at]!) + text.slice(at + 1);
    },
    'URL-encoded': encodeURIComponent,
    'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
    'with every letter URL-encoded': (text) =>
      [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    'in entities': (text) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
    'in base64': (text) => Buffer.from(text).toString('base64'),
    'in base64 within more': (text, n) => Buffer.from(`${'u'.repeat(n % 7)}:${text}@host`).toString('base64'),
    'in base64url': (text) => Buffer.from(text).toString('base64url'),
    'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
    'over two lines': (text, n) => `${text.slice(0, n % text.length)}\n${text.slice(n % text.length)}`,
    'with what is not seen': (text) => [...text].join('\u200b'),
  };

  test.each(Object.keys(disguises))('%s', (name) => {
    fc.assert(
      fc.property(secret, fc.nat(60), around, around, (text, n, before, after) => {
        const words = cleanWords(`no: ${before}${disguises[name]!(text, n)}${after}`, {
          hidden: { secrets: [text], hosts: [] },
          model: { id: 'writer', names: ['big'] },
        });
        for (const form of [text, disguises[name]!(text, n)])
          expect((words ?? '').toLowerCase()).not.toContain(form.toLowerCase());
      }),
      { numRuns: 300 },
    );
  });

  test('where it stands at the place where the words are cut', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: 900, max: 8_100 }), (text, before) => {
        const words = cleanWords(`${'ab '.repeat(before / 3)}${text} and more`, {
          hidden: { secrets: [text], hosts: [] },
          model: { id: 'writer', names: [] },
        });
        expect(words).not.toContain(text.slice(0, 6));
      }),
    );
  });
});

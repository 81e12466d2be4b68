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

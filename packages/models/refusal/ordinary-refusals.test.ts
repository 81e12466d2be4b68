import { describe, expect, test } from 'vitest';
import { cleanWords } from './clean-words.ts';

const hidden = { secrets: ['sk-live-4f9a8b7c6d5e'], hosts: ['models.acme.example'] };
const clean = (text: string) => cleanWords(text, { hidden, model: { id: 'writer', names: ['acme/big-1'] } });

describe('a provider’s ordinary words stay whole', () => {
  test.each([
    ['OpenAI', "Invalid type for 'messages[0].content': expected one of a string or array of objects."],
    [
      'OpenAI',
      "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.",
    ],
    ['OpenAI', "Unrecognized request argument supplied: cookie, password. Expected 'tools'"],
    ['OpenAI', "Invalid 'tools': array too long. Expected an array with maximum length 128, but got 300."],
    [
      'OpenAI',
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    ],
    [
      'OpenAI',
      "Invalid schema for response_format 'answer': In context=('properties', 'a'), 'type' is missing",
    ],
    ['OpenAI', 'Rate limit reached: 3 requests per min. Limit: 3, Used: 3, Requested: 1.'],
    ['Azure', 'Unrecognized request argument supplied: stream_options (api-version=2024-06-01)'],
    [
      'Anthropic',
      'messages.0.content.1.image.source.base64.data: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes',
    ],
    ['Anthropic', 'max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens'],
    ['Anthropic', 'prompt is too long: 210000 tokens > 199999 maximum'],
    [
      'Anthropic',
      'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    ],
    [
      'Google',
      'Invalid JSON payload received. Unknown name "seed" at \'generation_config\': Cannot find field.',
    ],
    ['Google', '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.'],
    ['Google', 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).'],
    [
      'Mistral',
      'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    ],
    [
      'Groq',
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1.content' : value must be a string)]",
    ],
    ['vLLM', 'top_p must be in (0, 1], got 2.0.'],
    ['vLLM', '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [
      'vLLM',
      '1 validation error for ChatCompletionRequest temperature Input should be less than or equal to 2 [type=less_than_equal, input_value=3, input_type=int]',
    ],
    [
      'SGLang',
      'The input (9001 tokens) is longer than the model context length (8192 tokens) at /v1/chat/completions',
    ],
    [
      'TGI',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`',
    ],
    [
      'llama.cpp',
      'the request exceeds the available context size. try increasing the context size or enable context shift',
    ],
    [
      'llama.cpp',
      '[json.exception.parse_error.101] parse error at line 1, column 12: syntax error while parsing value',
    ],
    ['Ollama', 'registry model llama3.1:8b does not support tools; qwen2.5:72b-instruct-q4_0 does'],
    ['Cohere', 'invalid request: temperature must be between 0 and 2'],
    ['Together', 'Input validation error: `stop` must have at most 4 items, account for that'],
    ['Fireworks', 'Additional properties are not allowed: #/data/0/x, /properties/path/to/name'],
    ['DeepSeek', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'],
    ['OpenRouter', 'No endpoints found that support tool use. Ratio 16:9 is fine.'],
    [
      'LiteLLM',
      'Unsupported parameter: max-tokens:4096, content-length:8192, limit:8000, step-3:100 of n_ctx:4096',
    ],
    [
      'Deepgram',
      'Bad Request: failed to process audio: corrupt or unsupported data at 12:30, and 12:30:45.120',
    ],
    ['FastAPI', 'cookie.session: Field required'],
    [
      'a server',
      'The password must be 8 letters long; an API key is required; the access token was not given',
    ],
    [
      'a server',
      'The account has no access. Your project must have billing. Each team can have 100 members.',
    ],
    [
      'a server',
      'Use GET /v1/models or POST /models, and/or a/b; the type is text/plain, image/png or audio/x.wav',
    ],
    ['a server', 'Option a: yes, b: no. The date is 2026-01-02T12:30:45Z and utf-8 is the charset; a:\\n b'],
  ])('from %s: %s', (_, text) => {
    expect(clean(text)).toBe(text);
  });
});

describe('keys, addresses and accounts in ordinary words are removed', () => {
  test.each([
    ['a cookie', 'got Cookie: session=abcdef; id=7 here', 'got Cookie: [removed] here'],
    ['a cookie that is set', 'Set-Cookie: a=b; Path=/; HttpOnly, more', 'Set-Cookie: [removed], more'],
    ['a cookie without a sign', 'the cookie session=abcdef expired', 'the cookie [removed] expired'],
    ['a cookie in JSON', '"cookie": "session=abcdef" x', '"cookie": [removed]" x'],
    ['a password', 'bad password hunter2 given', 'bad password [removed] given'],
    ['a password in quotes', "the password was 'hunter' here", 'the password was [removed] here'],
    ['a key without a sign', 'API key k1234567 is bad', 'API key [removed] is bad'],
    ['an account number', 'acct 4711 is closed', 'acct [removed] is closed'],
    ['an account number with a label', 'account no. 0012-3456 is closed', 'account no. [removed] is closed'],
    ['a numbered project', 'project 88123 is closed', 'project [removed] is closed'],
    ['a server', 'vllm-0:8000 did not answer', '[removed] did not answer'],
    ['a numbered server', 'gpu-node-17:8000 did not answer', '[removed] did not answer'],
    ['a service', 'ollama:11434 did not answer', '[removed] did not answer'],
    ['a machine of AWS', 'ip-10-0-3-7.ec2 did not answer', '[removed] did not answer'],
    ['a folder of data', 'no /data/models/acme/x here', 'no [removed] here'],
    ['a workspace', 'no file /workspace/x.bin here', 'no file [removed] here'],
    ['a file anywhere', "no '/anywhere/of/ours/x.safetensors' here", "no '[removed]' here"],
    ['a configuration', 'read /etc/passwd, then', 'read [removed], then'],
    ['a home folder', 'in ~/.cache/hf/x here', 'in [removed] here'],
    ['a folder of Windows', 'no C:\\models\\llama\\x.gguf here', 'no [removed] here'],
    ['a folder of Windows with a space', 'no C:\\Program Files\\acme\\x here', 'no [removed] here'],
  ])('%s', (_, text, words) => {
    expect(clean(text)).toBe(words);
  });
});

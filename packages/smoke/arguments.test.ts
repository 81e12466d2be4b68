import { expect, test } from 'vitest';
import { readArguments, UsageError } from './arguments.ts';

const long = ['--long', '--model-url', 'https://model.example.com/'];

test('a line is read with all its options', () => {
  const line = [
    'https://api.example.com/',
    '--stage',
    'production',
    '--model',
    'm',
    '--container',
    'on',
    '--only',
  ];
  expect(readArguments([...line, 'run', ...long, '--listen', '9000', '--json'])).toEqual({
    baseUrl: 'https://api.example.com',
    stage: 'production',
    model: 'm',
    largeForms: true,
    only: 'run',
    long: { modelUrl: 'https://model.example.com', port: 9_000 },
    json: true,
    help: false,
  });
});

test.each([
  ['HTTPS://API.example.com:443//', 'https://api.example.com'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
])('the address %s is that of a service', (text, baseUrl) => {
  expect(readArguments([text]).baseUrl).toBe(baseUrl);
});

test('nothing has to be said', () => {
  expect(readArguments([])).toEqual({ json: false, help: false });
  expect(readArguments(long).long?.port).toBe(8_790);
});

test.each([
  ['two addresses', ['http://a.example.com', 'http://b.example.com'], /unexpected argument: http:\/\/b/],
  ['no URL', ['api.example.com'], /BASE_URL must be an http\(s\) URL/],
  ...['/v1', '/v1/', '?stage=a', '/#top', '//v1'].map((end): [string, string[], RegExp] => [
    `an address that ends with ${end}`,
    [`https://api.example.com${end}`],
    /BASE_URL must be an origin, such as https:\/\/api.example.com: /,
  ]),
  ['an unknown option', ['--all'], /--all/],
  ['a switch that is neither', ['--container', 'yes'], /--container must be on or off/],
  ['long checks without a model', ['--long'], /go together/],
  ['a model without long checks', long.slice(1), /go together/],
  ['no port', [...long, '--listen', '70000'], /--listen must be a port/],
])('%s is not a valid line, and the usage is told', (_, line, problem) => {
  expect(() => readArguments(line)).toThrow(UsageError);
  expect(() => readArguments(line)).toThrow(problem);
  expect(() => readArguments(line)).toThrow(/usage: npm run -s smoke/);
});

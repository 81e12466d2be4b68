import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { type Arguments, readArguments } from './arguments.ts';

const told: string[] = [];
const terminal = { out: (text: string) => told.push(text), err: (text: string) => told.push(text) };

function read(line: readonly string[]): Omit<Arguments, 'refuse'> {
  told.length = 0;
  const { refuse: _, ...given } = readArguments(line, terminal);
  return given;
}

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
  expect(read([...line, 'run', ...long, '--listen', '9000', '--answer-seconds', '115', '--json'])).toEqual({
    baseUrl: 'https://api.example.com',
    stage: 'production',
    model: 'm',
    largeForms: true,
    only: 'run',
    long: { modelUrl: 'https://model.example.com', port: 9_000, answerSeconds: 115 },
    json: true,
  });
});

test.each([
  ['HTTPS://API.example.com:443//', 'https://api.example.com'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
])('the address %s is read as the base URL of a service', (text, baseUrl) => {
  expect(read([text]).baseUrl).toBe(baseUrl);
});

test('every option may be left out', () => {
  expect(read([])).toEqual({ json: false });
  expect(read(long).long?.port).toBe(8_790);
});

test.each([
  ['two addresses', ['http://a.example.com', 'http://b.example.com'], /too many arguments/],
  [
    'no URL',
    ['api.example.com'],
    /'api.example.com' is invalid for argument 'BASE_URL'. It must be an http\(s\) URL/,
  ],
  ...['/v1', '/v1/', '?stage=a', '/#top', '//v1'].map((end): [string, string[], RegExp] => [
    `an address that ends with ${end}`,
    [`https://api.example.com${end}`],
    /'BASE_URL'. It must be an origin, such as https:\/\/api.example.com\./,
  ]),
  ['an unknown option', ['--all'], /--all/],
  [
    'a switch that is neither',
    ['--container', 'yes'],
    /'--container <on\|off>' argument 'yes' is invalid. It must be on or off/,
  ],
  ['long checks without a model', ['--long'], /go together/],
  ['a model without long checks', long.slice(1), /go together/],
  ['a long answer without long checks', ['--answer-seconds', '115'], /--answer-seconds needs --long/],
  ...['69', '116', '9e1', ''].map((text): [string, string[], RegExp] => [
    `the time ${text} of an answer`,
    [...long, '--answer-seconds', text],
    /It must be a whole number from 70 to 115/,
  ]),
  ['no port', [...long, '--listen', '70000'], /'70000' is invalid. It must be a port/],
])('%s is not a valid line, and the usage is told', (_, line, problem) => {
  expect(() => read(line)).toThrow(CommanderError);
  expect(told.join('\n')).toMatch(problem);
  expect(told.join('\n')).toContain('usage: npm run -s smoke --');
});

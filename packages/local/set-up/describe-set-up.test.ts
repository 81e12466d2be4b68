import { parseCatalogue } from '@errand/models';
import { expect, test } from 'vitest';
import { greet } from '../greet.ts';
import { describeSetUp } from './describe-set-up.ts';

const now = Date.parse('2026-11-22');
const upstream = { baseUrl: 'https://api.example.com/v1', apiKeyEnv: 'KEY', model: 'big-1' };
const none: ReadonlySet<string> = new Set();
const secretKey = 'sk-never-printed-1';

const setUpOf = (models: object[], roles: object, standIns: string[] = []) => ({
  catalogue: parseCatalogue({ models, roles }, () => secretKey),
  standIns: new Set(standIns),
  fromFile: true,
});

const writer = {
  id: 'writer',
  kind: 'chat',
  upstream,
  price: { inputPerMillionTokens: 0.4, outputPerMillionTokens: 1.6 },
};
const eyes = {
  id: 'eyes-that-see-far',
  kind: 'vision',
  upstream,
  fallbacks: [{ baseUrl: 'http://10.0.0.5:8000/v1', model: 'x' }],
  price: [
    { inputPerMillionTokens: 0, outputPerMillionTokens: 0 },
    { from: '2027-01-01', inputPerMillionTokens: 5, outputPerMillionTokens: 5 },
  ],
};
const ears = { id: 'ears', kind: 'speech', upstream, price: { perSecond: 0.0000001 } };
const judge = {
  id: 'judge',
  kind: 'decision',
  upstream: { baseUrl: 'http://127.0.0.1:8080', model: 'clef' },
  price: { inputPerMillionTokens: 0.1 },
};

test('models are shown with kind, host and price of today, roles with what they do, or what is missing without them', () => {
  const setUp = setUpOf([writer, eyes, ears, judge], { reasoning: 'writer', decision: 'judge' }, ['judge']);
  expect(describeSetUp(setUp, now)).toEqual([
    'Models',
    '  writer             chat      api.example.com     EUR 0.4 in, 1.6 out per million tokens',
    '  eyes-that-see-far  vision    api.example.com +1  free',
    '  ears               speech    api.example.com     EUR 0.0000001 per second',
    '  judge              decision  stand-in',
    'Roles',
    '  reasoning  writer   thinks and answers in runs that name no model',
    '  vision     missing  images of runs are refused, and their tool is not offered',
    '  speech     missing  recordings of runs are not read, and their tool is not offered',
    '  decision   judge    checks the claims of runs with proof, and calls for approve: auto',
    '  embedding  missing  passages of long material are found by their words alone',
  ]);
});

test('twenty models stay in columns, and one with a very long name widens them to no more than 48 characters', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ ...writer, id: `model-${'x'.repeat(index)}` }));
  const lines = describeSetUp(setUpOf([...many, { ...writer, id: 'y'.repeat(120) }], {}), now).slice(1, 21);
  expect(new Set(lines.map((line) => line.indexOf('chat')))).toEqual(new Set([52]));
});

test('a start prints the console, the base URL, the key, the reference, the models and the first commands, in this order, and no other key', () => {
  const service = {
    baseUrl: 'http://127.0.0.1:8787',
    apiKey: 'errand_1',
    takesRuns: true,
    takesFiles: true,
    pages: new Set(['/console', '/docs', '/docs/assets/a.js']),
    setUp: setUpOf([writer, judge], { reasoning: 'writer', decision: 'judge' }),
  };
  const printed = greet(service, undefined, now).join('\n');
  const parts = [
    'Console: http://127.0.0.1:8787/console\n',
    'Errand is running at http://127.0.0.1:8787\n',
    'API key: errand_1\n',
    'API reference: http://127.0.0.1:8787/docs\n',
    'Models\n',
    'Roles\n',
    'Ask something about the report that comes along:\n  curl',
    'Watch the newest run to its answer:\n  curl',
    'Decide something:\n  curl',
  ];
  const places = parts.map((part) => printed.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBe(0);
  expect(printed).not.toContain(secretKey);
  expect(printed).not.toContain('MODEL_BASE_URL');
});

test('with nothing but stand-ins the start says how to have other models', () => {
  const service = {
    baseUrl: 'http://127.0.0.1:8787',
    takesRuns: false,
    takesFiles: false,
    pages: none,
    setUp: setUpOf([writer], {}, ['writer']),
  };
  const printed = greet(service, undefined, now).join('\n');
  expect(printed).toContain('Set MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or MODEL_CATALOGUE');
  expect(printed).toMatch(/reasoning +missing +there are no runs/);
  expect(printed).not.toContain('AGENTS_ENABLED');
});

test('a start that takes no runs says so where the role alone does not', () => {
  const setUp = setUpOf([writer], { reasoning: 'writer' });
  const printed = greet(
    { baseUrl: 'http://127.0.0.1:8787', takesRuns: false, takesFiles: false, pages: none, setUp },
    undefined,
    now,
  );
  expect(printed).toContain('Runs: not available (AGENTS_ENABLED is false).');
});

test('a part without an API says only that it runs', () => {
  expect(greet({ takesRuns: false, takesFiles: false, pages: none }, 'aws', now)).toEqual([
    "Errand's aws is running. Stop it with Ctrl-C.",
  ]);
});

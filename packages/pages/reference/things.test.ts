import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
// @ts-expect-error The page's scripts have no types.
import { createThings } from './things.js';

const at = (path: string) => `https://errand.test${path}`;
const runId = '11111111-1111-4111-8111-111111111111';
const skillId = 'skill_1';
let things: ReturnType<typeof createThings>;
beforeEach(() => {
  vi.stubGlobal('location', { href: at('/docs') });
  things = createThings();
  for (const [path, made] of [
    ['/v1/agents/runs', { agentId: runId, status: 'queued' }],
    ['/v1/skills', { id: skillId, name: 'letters' }],
  ] as const)
    things.note(path, 'post', { status: 201, url: at(path), text: JSON.stringify(made) });
  noted(events, `/v1/agents/runs/${runId}/events`, { events: [{ event: saved('mine') }] });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const noted = (path: string, url: string, answer: unknown) => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  things.note(path, 'get', { status: 200, url: at(url), text });
};

const events = '/v1/agents/runs/{agentId}/events';
const saved = (name: string) => ({ toolName: 'save_data', input: { name } });

test('a run that was made on the page, and what it saved, are what other operations are about', () => {
  expect(things.offer('/v1/values/{name}', 'delete')).toEqual({ name: 'mine' });
  expect(things.offer('/v1/agents/runs/{agentId}', 'delete')).toEqual({ agentId: runId });
});

test.each([
  [
    'the input of a tool',
    events,
    `/v1/agents/runs/${runId}/events`,
    { events: [{ input: saved('payroll') }] },
  ],
  ['a file of a run', '/v1/files/{agentId}/{name}', `/v1/files/${runId}/a.json`, saved('payroll')],
  ['a saved value', '/v1/values/{name}', '/v1/values/mine', { name: 'mine', content: saved('payroll') }],
  ['a skill', '/v1/skills/{id}', `/v1/skills/${skillId}`, `data: ${JSON.stringify(saved('payroll'))}`],
])('no deletion gets what %s names', (_, path, url, answer) => {
  noted(path, url, answer);
  expect(things.offer('/v1/values/{name}', 'delete')).toEqual({ name: 'mine' });
});

test.each([
  ['with many events', (times: number) => ({ events: Array(times).fill({ event: {} }) })],
  [
    'that names many runs',
    (times: number) => ({ names: Array.from({ length: times }, (_, i) => ({ agentId: `run${i}` })) }),
  ],
])('an answer %s is noted, and noted again, in linear time', async (_, answerOf) => {
  await expectLinear(
    (characters) => JSON.stringify(answerOf(Math.ceil(characters / 20))),
    (answer) => {
      things.forgetAll();
      noted(events, `/v1/agents/runs/${runId}/events`, answer);
      noted(events, `/v1/agents/runs/${runId}/events`, answer);
    },
    200_000,
  );
});

test('an operation without a model gets none, also where an answer has a model of no kind', () => {
  things.forgetAll();
  noted('/v1/models', '/v1/models', { object: 'model', id: 'writer' });
  expect(things.modelOf(undefined)).toBeUndefined();
});

test('an answer with an address that cannot be decoded is read all the same', () => {
  noted(events, `/v1/agents/runs/${runId}/events`, '{"a":"/v1/files/a/%zz?expires=1&signature=a"}');
  expect(things.offer('/v1/files/{agentId}/{name}', 'get')).toBeUndefined();
});

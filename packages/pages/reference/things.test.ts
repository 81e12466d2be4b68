import { beforeEach, expect, test, vi } from 'vitest';
// @ts-expect-error The page's scripts have no types.
import { createThings } from './things.js';

const at = (path: string) => `https://errand.test${path}`;
const runId = '11111111-1111-4111-8111-111111111111';
let things: ReturnType<typeof createThings>;
beforeEach(() => {
  vi.stubGlobal('location', { href: at('/docs') });
  things = createThings();
  const text = JSON.stringify({ agentId: runId, status: 'queued' });
  things.note('/v1/agents/runs', 'post', { status: 201, url: at('/v1/agents/runs'), text });
});

const noted = (path: string, url: string, answer: unknown) => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  things.note(path, 'get', { status: 200, url: at(url), text });
};

const events = '/v1/agents/runs/{agentId}/events';
const saved = (name: string) => ({ toolName: 'save_data', input: { name } });

test('a run that was made on the page is what its other operations are about', () => {
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
])('no deletion gets what %s names', (_, path, url, answer) => {
  noted(path, url, answer);
  expect(things.offer('/v1/values/{name}', 'delete')).toBeUndefined();
});

test('an answer with an address that cannot be decoded is read all the same', () => {
  noted(events, `/v1/agents/runs/${runId}/events`, '{"a":"/v1/files/a/%zz?expires=1&signature=a"}');
  expect(things.offer('/v1/files/{agentId}/{name}', 'get')).toBeUndefined();
});

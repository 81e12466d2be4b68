import { expect, test } from 'vitest';
import {
  type Agent,
  serversProblem,
  tellDefinition,
  toAgentPatch,
  toDraft,
  toNewAgent,
} from './agent-draft.ts';

const plain: Agent = {
  id: 'agent_1',
  name: 'researcher',
  description: '',
  enabled: true,
  scope: 'user',
  version: 1,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  instructions: 'Look.',
};

const full: Agent = {
  ...plain,
  description: 'Looks.',
  model: 'writer',
  tools: ['web_search'],
  mcp: ['stock', { label: 'shop', url: 'https://tools.example.com/mcp' }],
  skills: { name: 'plain-words', version: 2 },
  outputSchema: { type: 'object', properties: { b: {}, a: {} } },
  proof: false,
  approve: ['save_file', '!shop__look'],
  effort: 'high',
  maxCredits: '0.50',
  open: ['model'],
};

const definitionOf = ({
  id: _,
  enabled: _e,
  scope: _s,
  version: _v,
  createdAt: _c,
  updatedAt: _u,
  ...rest
}: Agent) => rest;

test.each([plain, full])('an agent that is saved as it was read is what it was', (agent) => {
  expect(JSON.parse(JSON.stringify(toNewAgent(toDraft(agent))))).toEqual(definitionOf(agent));
});

test('a change takes away what the form has no more', () => {
  expect(toAgentPatch({ ...toDraft(full), model: '', tools: undefined, open: [] })).toMatchObject({
    ...{ model: null, tools: null, open: null },
    ...{ effort: 'high', proof: false },
  });
});

test('servers of tools are a list in JSON', () => {
  expect(['', '["stock"]'].map(serversProblem)).toEqual(['', '']);
  for (const text of ['stock', '{}', '["stock"']) expect(serversProblem(text)).not.toBe('');
});

test('a definition is told with its instructions last, and without what it does not have', () => {
  expect(tellDefinition(plain)).toBe('Look.');
  expect(tellDefinition(full).split('\n')).toEqual(
    expect.arrayContaining(['model: writer', 'maxCredits: 0.50', 'proof: false', 'Look.']),
  );
});

import { createLog, limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { answerWithin, prepareCall } from './call.ts';
import { contextLeft } from './context/size.ts';
import { collect, echo, eventsOf, makeAgent } from './test-support/scripted-agent.ts';
import type { Tool } from './tool.ts';

const brought: Tool = {
  name: 'shop__find',
  description: 'Finds. '.repeat(300),
  parameters: { jsonSchema: { type: 'object', properties: { q: { type: 'string' } } } },
  timeoutMilliseconds: 1_000,
  sends: (args) => ({ message: JSON.stringify(args) }),
  run: async () => ({ text: 'found', isOutside: true }),
};

const prepare = (json: string) =>
  prepareCall([brought], { id: 'c', type: 'function', function: { name: brought.name, arguments: json } });

test('the schema of a brought tool goes to the model unchanged, and its server checks the arguments', async () => {
  const { deps, requests } = makeAgent([{ calls: [['shop__find', { other: 1 }]] }, { text: 'Ready.' }]);
  let isClosed = false;
  const tools = {
    open: async () => ({ notices: [], tools: [brought] }),
    secrets: [],
    close: async () => {
      isClosed = true;
    },
  };
  const all = await collect({ ...deps, brought: tools });
  expect(eventsOf(all)).toContainEqual({ type: 'tool_result', toolName: 'shop__find', result: 'found' });
  expect(requests[0]?.tools.at(-2)?.function).toMatchObject({
    name: 'shop__find',
    parameters: { type: 'object', properties: { q: { type: 'string' } } },
  });
  expect(all.at(0)?.state.outsideSince).toBe(0);
  expect(isClosed).toBe(true);
});

test('arguments of a brought tool that are not an object, or too long to be searched, are refused', () => {
  expect(prepare('[1]')).toMatchObject({ problem: expect.stringContaining('not a JSON object') });
  const long = JSON.stringify({ q: 'x'.repeat(limits.remoteArgumentsCharacters) });
  expect(prepare(long)).toMatchObject({ problem: expect.stringContaining('more than 8192 characters') });
  expect(prepare('{"q":"x"}')).toMatchObject({ args: { q: 'x' } });
});

test('definitions of brought tools are counted as a part of the context', () => {
  const { reasoning } = makeAgent([]).deps;
  expect(contextLeft({ reasoning, tools: [echo] })).toBe(reasoning.contextTokens);
  const left = contextLeft({ reasoning, tools: [echo, brought] });
  expect(reasoning.contextTokens - left).toBeGreaterThan(brought.description.length / 3);
});

test('the name of a brought tool, which strangers chose, is not logged if its call fails', async () => {
  const lines: object[] = [];
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  const failing = async () => {
    throw new Error('No.');
  };
  const { signal } = new AbortController();
  expect(await answerWithin(log, 'shop__find', 1_000, signal, failing)).toEqual({
    text: 'Error: shop__find failed unexpectedly.',
  });
  expect(lines).toMatchObject([{ message: 'tool failed', tool: 'brought' }]);
});

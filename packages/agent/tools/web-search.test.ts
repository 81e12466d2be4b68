import { limits } from '@errand/platform';
import type { Search, SearchResult } from '@errand/web';
import { expect, test } from 'vitest';
import { prepareCall } from '../call.ts';
import { type ToolInput, toolDefinition } from '../tool.ts';
import { webSearch } from './web-search.ts';

const input = { signal: new AbortController().signal } as ToolInput;

function searchWith(found: SearchResult[], ignoresDates?: true) {
  const asked: { query: string; since?: string }[] = [];
  const search: Search = async ({ query, since }) => {
    asked.push({ query, since });
    return found;
  };
  const tool = webSearch({ search: Object.assign(search, { ignoresDates }) });
  const call = async (args: unknown) => {
    const called = {
      id: 'a',
      type: 'function' as const,
      function: { name: tool.name, arguments: JSON.stringify(args) },
    };
    const prepared = prepareCall([tool], called);
    return 'problem' in prepared ? prepared.problem : (await tool.run(prepared.args, input)).text;
  };
  return { asked, call, tool };
}

const result = { title: 'T', url: 'https://x.test/', snippet: 'S' };

test('web_search tells models of queries and since alone', () => {
  const { parameters } = toolDefinition(searchWith([]).tool).function;
  expect(Object.keys(parameters.properties ?? {})).toEqual(['queries', 'since']);
  expect(parameters.required).toEqual(['queries']);
});

test.each([
  [{ queries: ['a', 'b', 'a'] }, ['a', 'b']],
  [{ query: 'a' }, ['a']],
  [{ queries: 'a' }, ['a']],
  [{ query: 'a', queries: ['b'], since: '' }, ['a', 'b']],
])('web_search understands %j', async (args, queries) => {
  const { asked, call } = searchWith([result]);
  await call(args);
  expect(asked).toEqual(queries.map((query) => ({ query, since: undefined })));
});

test.each([
  [{}, /queries is required/],
  [{ queries: [] }, /must have an entry/],
  [{ queries: Array(limits.queriesPerSearch + 1).fill('a') }, /must have at most/],
  [{ queries: ['a'], since: '2026-02-31' }, /since: must be a day such as/],
  [{ queries: ['a'], since: 'yesterday' }, /since: must be a day such as/],
])('web_search refuses %j in words that a model can act on', async (args, words) => {
  const { asked, call } = searchWith([result]);
  expect(await call(args)).toMatch(words);
  expect(asked).toEqual([]);
});

test('web_search passes the day on and shows the dates that are known', async () => {
  const { asked, call } = searchWith([
    { ...result, date: '2026-11-03' },
    { ...result, url: 'https://y.test/' },
  ]);
  expect(await call({ queries: ['a'], since: '2026-11-01' })).toBe(
    '[1] T\nhttps://x.test/\n(2026-11-03) S\n\n[2] T\nhttps://y.test/\nS',
  );
  expect(asked).toEqual([{ query: 'a', since: '2026-11-01' }]);
});

test('web_search says where the search cannot tell dates, if they were asked for', async () => {
  const { call } = searchWith([result], true);
  expect(await call({ queries: ['a'], since: '2026-11-01' })).toMatch(/cannot tell the dates of pages/);
  expect(await call({ queries: ['a'] })).not.toMatch(/dates/);
});

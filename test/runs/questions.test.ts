import { createLog, limits, localTableNames, scanPages } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { setLimit } from '../support/set-limit.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let offsetMilliseconds = 0;
const lines: string[] = [];

useService(
  (started) => ({ provider, service } = started),
  () => ({ clock: () => Date.now() + offsetMilliseconds, log: createLog((line) => lines.push(line)) }),
);

interface Page {
  runs: { agentId: string; status: string; question?: string; error?: string }[];
  cursor?: string;
}

async function list(query: Record<string, string>, key?: string): Promise<Page> {
  const response = await service.request(`/v1/agents/runs?${new URLSearchParams(query)}`, { key });
  expect(response.status).toBe(200);
  return response.json() as Promise<Page>;
}

const asked = ({ runs }: Page) => runs.map(({ question }) => question);

/** Every run of a list, page by page, and how many pages it took. */
async function listAll(query: Record<string, string>, key: string) {
  const questions: (string | undefined)[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await list({ ...query, ...(cursor !== undefined && { cursor }) }, key);
    questions.push(...asked(page));
    cursor = page.cursor;
    pages++;
  } while (cursor !== undefined);
  return { questions, pages };
}

/** Runs of a new key that are over, one second after another. */
async function askAll(questions: readonly string[]): Promise<string> {
  const { key } = await service.newAccount();
  for (const question of questions) {
    offsetMilliseconds += 1_000;
    await service.follow(await service.start({ question }, key), { key });
  }
  return key;
}

describe('the question of a run', () => {
  test('is shown with the run, in a list by its first line', async () => {
    provider.script(inTurn({ text: 'ok' }));
    const { key } = await service.newAccount();
    const question = '  What did the depot spend?\r\nAnswer as a table.\n';
    const agentId = await service.start({ question }, key);
    await service.follow(agentId, { key });
    expect((await service.read(agentId, key)).question).toBe(question.trim());
    expect(asked(await list({}, key))).toEqual(['What did the depot spend?']);
  });

  test('is shown as far as its limit, by whole characters, and ends with an ellipsis where it is cut', async () => {
    provider.script(inTurn({ text: 'ok' }));
    const most = limits.shownQuestionCharacters;
    for (const [question, shown] of [
      ['🚢'.repeat(most), '🚢'.repeat(most)],
      ['🚢'.repeat(most + 1), `${'🚢'.repeat(most - 1)}…`],
      [`a\ud800${'b'.repeat(limits.questionCharacters - 2)}`, `a\ufffd${'b'.repeat(most - 3)}…`],
    ] as const) {
      const agentId = await service.start({ question });
      expect((await service.read(agentId)).question).toBe(shown);
      await service.follow(agentId);
    }
  });

  test('is shown of a run that was made with a form, by Responses and by MCP', async () => {
    provider.script(() => ({ text: 'ok' }));
    const { key } = await service.newAccount();
    const form = new FormData();
    form.set('question', 'By a form?');
    form.set('file', new File(['The crew is of three.'], 'crew.txt'));
    await service.request('/v1/agents/runs', { method: 'POST', body: form, key });
    const input = 'By Responses?';
    await service.post('/v1/responses', { model: 'agent:default', input, background: true }, { key });
    const params = { name: 'ask', arguments: { question: 'By MCP?', waitSeconds: 0 } };
    const headers = { Accept: 'application/json, text/event-stream' };
    await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { key, headers });
    expect(asked(await list({}, key)).toSorted()).toEqual(['By MCP?', 'By Responses?', 'By a form?']);
  });

  test('is in no line of the log, nor is what is searched for', async () => {
    provider.script(() => ({ status: 400, body: '{"error":{"message":"No such thing."}}' }));
    const agentId = await service.start({ question: 'Zanzibar, of all places' });
    await service.follow(agentId);
    await list({ search: 'zanzibar' });
    await service.request(`/v1/agents/runs?search=zanzibar&cursor=none`);
    expect(lines.join('')).toContain(agentId);
    expect(lines.join('')).not.toMatch(/zanzibar/i);
  });

  test('is deleted with its run', async () => {
    provider.script(inTurn({ text: 'ok' }));
    const agentId = await service.start({ question: 'Forget me' });
    await service.follow(agentId);
    const stored = async () => {
      const { runs: TableName } = localTableNames;
      const items: { sk: string }[] = [];
      for await (const page of scanPages<{ sk: string }>(service.clients, { TableName })) items.push(...page);
      return items.filter((item) => JSON.stringify(item).includes('Forget me')).map(({ sk }) => sk);
    };
    expect(await stored()).toEqual(expect.arrayContaining(['INPUT', 'RUN']));
    await service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
    expect(await stored()).toEqual([]);
  });
});

describe('GET /v1/agents/runs?search=', () => {
  const questions = [
    'Which suppliers raised their PRICES?\nSince spring',
    'Prices of doors',
    'Straße und Ｈａｌｌｅ',
    'What else?',
  ];

  test('lists the runs whose question has all words, in any case and order', async () => {
    provider.script(() => ({ text: 'ok' }));
    const key = await askAll(questions);
    const found = async (search: string) => asked(await list({ search }, key));
    expect(await found('prices')).toEqual([questions[1], 'Which suppliers raised their PRICES?']);
    expect(await found(' prices  WHICH ')).toEqual(['Which suppliers raised their PRICES?']);
    expect(await found('spring')).toEqual(['Which suppliers raised their PRICES?']);
    expect(await found('halle straße')).toEqual([questions[2]]);
    expect(await found('prices nowhere')).toEqual([]);
    expect(await found('')).toHaveLength(questions.length);
    expect(asked(await list({ search: 'prices', status: 'failed' }, key))).toEqual([]);
    expect(asked(await list({ search: 'prices', status: 'succeeded' }, key))).toHaveLength(2);
  });

  test("finds no run of another key, of the account's either", async () => {
    provider.script(() => ({ text: 'ok' }));
    const { accountId } = await service.newAccount();
    await service.follow(await service.start({ question: 'Only mine' }));
    const sibling = await service.newKey(accountId);
    expect(await list({ search: 'mine' }, sibling)).toEqual({ runs: [] });
    expect(asked(await list({ search: 'mine' }))).toEqual(['Only mine']);
  });

  test('400 for a search over its limit', async () => {
    const search = (characters: number) =>
      service.request(`/v1/agents/runs?search=${'%C3%A4'.repeat(characters)}`);
    expect((await search(limits.runSearchCharacters)).status).toBe(200);
    const refused = await search(limits.runSearchCharacters + 1);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toBe(`search: must have at most ${limits.runSearchCharacters} characters`);
  });

  test('finds each run once over its pages, of which each looks through a bounded number of runs', async () => {
    provider.script(() => ({ text: 'ok' }));
    const all = Array.from({ length: 11 }, (_, i) => `${i % 5 === 0 ? 'wanted' : 'other'} ${i}`);
    const key = await askAll(all);
    const expected = all.filter((question) => question.startsWith('wanted')).toReversed();
    setLimit('pageEntries', 2);
    setLimit('runsLookedThrough', 4);
    expect(await listAll({ search: 'WANTED' }, key)).toEqual({ questions: expected, pages: 3 });
    expect(await listAll({ search: 'wanted', limit: '1' }, key)).toMatchObject({ questions: expected });
  });
});

describe('GET /v1/agents/runs?status=cancelled', () => {
  test('lists cancelled runs alone, which have the status failed and are among the failed ones', async () => {
    const { key } = await service.newAccount();
    const end = async (question: string) => {
      offsetMilliseconds += 1_000;
      const agentId = await service.start({ question }, key);
      if (question === 'cancelled') await service.post(`/v1/agents/runs/${agentId}/cancel`, {}, { key });
      await service.follow(agentId, { key });
    };
    provider.script(() => ({ status: 400 }));
    await end('failed');
    provider.script(() => ({ text: 'ok' }));
    await end('succeeded');
    provider.script(() => 'hang');
    await end('cancelled');
    const cancelled = await list({ status: 'cancelled' }, key);
    expect(cancelled.runs).toMatchObject([{ question: 'cancelled', status: 'failed', error: 'Cancelled' }]);
    expect(asked(await list({ status: 'failed' }, key))).toEqual(['cancelled', 'failed']);
    expect(asked(await list({ status: 'cancelled', search: 'fail' }, key))).toEqual([]);
  });
});

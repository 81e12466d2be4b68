import { showCredits } from '@errand/money';
import { localTableNames } from '@errand/platform';
import { beforeAll, expect, test } from 'vitest';
import { defaultUsage, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
const runs = 200;

useService((started) => ({ provider, service } = started));
beforeAll(() => {
  // The model calls a tool once, answers, and confirms in the final check: each run makes three completions.
  provider.script(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'write_todos', args: { todos: [{ content: 'work', status: 'completed' }] } }] },
  );
});

/** Starts a run as callers are told to: what a store on a busy machine refuses for now is asked again with the same key. */
async function start(name: string, key: string): Promise<string> {
  const headers = { 'Idempotency-Key': name };
  for (;;) {
    const response = await service.post('/v1/agents/runs', { question: name }, { key, headers });
    if (response.status === 202) return ((await response.json()) as { agentId: string }).agentId;
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('Please retry.')]);
  }
}

test('200 runs at once all succeed, with contiguous ids and a ledger equal to their usage', async () => {
  const { accountId, key } = await service.newAccount('5');
  const ids = await Promise.all(Array.from({ length: runs }, (_, i) => start(`run-${i}`, key)));
  const streams = await Promise.all(ids.map((id) => service.follow(id, { key })));
  for (const events of streams) {
    expect(events.at(-1)).toMatchObject({ type: 'done', finalText: 'Done.' });
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  }
  const deps = { dynamodb: service.clients.dynamodb, tables: localTableNames };
  const { entries } = await showCredits(deps, { accountId });
  const charges = entries.filter(({ kind }) => kind === 'completion');
  const charged = charges.reduce((sum, { amountNanoEuro }) => sum - amountNanoEuro, 0);
  const perCompletion = defaultUsage.input * 1_000 + defaultUsage.output * 2_000;
  expect(charges).toHaveLength(runs * 3);
  expect(charged).toBe(runs * 3 * perCompletion);
  const { balance } = (await (await service.request('/v1/credits', { key })).json()) as { balance: string };
  expect(Number(balance)).toBeCloseTo(5 - charged / 1e9, 9);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Provider, startProvider } from '../support/provider.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';

let provider: Provider;
let service: TestService;

beforeAll(async () => {
  provider = await startProvider();
  service = await startTestService({ catalogue: simpleCatalogue(provider.baseUrl) });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});
beforeEach(() => {
  let number = 0;
  // Spends all that it may, and never stops by itself.
  provider.script(({ tool_choice, max_tokens = 0 }) => {
    number++;
    const usage = { input: 600, output: max_tokens };
    const text = `Text ${number}.`;
    return tool_choice === 'none'
      ? { text, usage }
      : { text, usage, calls: [{ name: 'write_todos', args: { todos: [] } }] };
  });
});

async function balance(key: string): Promise<number> {
  const response = await service.request('/v1/credits', { key });
  return Number(((await response.json()) as { balance: string }).balance);
}

test('a run answers with what it has when the credits end, and the balance does not fall below zero', async () => {
  const { key } = await service.newAccount('0.05');
  const events = await service.follow(await service.start({ question: 'Loop' }, key), { key });
  const answer = `Text ${provider.requests.length}.`;
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: answer });
  expect(events.filter(({ type, text }) => type === 'text' && text === answer)).toHaveLength(2);
  expect(provider.requests.at(-1)?.tool_choice).toBe('none');
  expect(await balance(key)).toBeGreaterThanOrEqual(0);
});

test('runs that share an account never spend more than it has', async () => {
  const { key } = await service.newAccount('0.06');
  const runs = await Promise.all([1, 2, 3, 4].map(() => service.start({ question: 'Loop' }, key)));
  const all = await Promise.all(runs.map((run) => service.follow(run, { key })));
  expect(all.map((events) => events.at(-1)?.type)).toEqual(['done', 'done', 'done', 'done']);
  expect(await balance(key)).toBeGreaterThanOrEqual(0);
});

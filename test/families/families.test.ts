import { beforeAll, describe, expect, test } from 'vitest';
import { type OutsideWorld, startOutsideWorld } from '../flows/support/outside-world.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { families } from './support/families.ts';
import { type Family, type FamilyServer, startFamilyServer } from './support/family.ts';

let provider: FamilyServer;
let world: OutsideWorld;
let service: TestService;

beforeAll(async () => {
  [provider, world] = await Promise.all([startFamilyServer(), startOutsideWorld()]);
  service = await startTestService({
    catalogue: {
      models: families.map(({ name, api, entry }) => ({
        id: name,
        kind: 'chat',
        upstream: { baseUrl: `${provider.url}/v1`, model: name, apiKeyEnv: 'MODEL_API_KEY', api },
        price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
        contextTokens: 131_072,
        ...entry,
      })),
      roles: { reasoning: families[0]?.name },
    },
    env: {
      FETCH_ALLOWED_HOSTS: world.host,
      SEARCH_PROVIDER: 'searxng',
      SEARCH_BASE_URL: world.url,
      UPSTREAM_PATIENCE_SECONDS: '0',
      MODEL_API_KEY: 'sk-provider',
    },
  });
  return async () => {
    await service.stop();
    await Promise.all([provider.close(), world.close()]);
  };
});

const beginning = 'The Velmar Bridge is 503 m long [1], as its owner says. ';
const rest = 'It was opened in 1931, and is painted every seven years.';

const searching: [string, object] = ['web_search', { query: 'Velmar Bridge length' }];

/** A search, a page, a file, an answer that is cut and continued, and the check. */
const stepsOf = ({ parallel, writesCallAsText }: Family) => [
  ...(writesCallAsText
    ? [{ text: '<tool_call>\n{"name": "web_search", "arguments": {"query": "bridge"}}\n</tool_call>' }]
    : []),
  { calls: parallel ? [searching, ['web_search', { query: 'bridge' }] as [string, object]] : [searching] },
  { calls: [['web_crawl', { url: `${world.url}/bridge` }] as [string, object]], text: 'I read the page.' },
  { calls: [['save_file', { filename: 'bridge.md', content: '# Bridge' }] as [string, object]] },
  { text: beginning, finish: 'length' },
  { text: rest },
  { calls: [['confirm_answer', {}] as [string, object]] },
];

describe.each(families)('a run on $name', (family) => {
  test('searches, reads, saves, continues a cut answer and checks it, and costs what its provider bills', async () => {
    world.search = () => [
      { title: 'Bridges', url: `${world.url}/bridge`, content: 'The Velmar Bridge and its length.' },
    ];
    world.pages.set('/bridge', { type: 'text/html', body: '<h1>Bridge</h1><p>It is 503 m long.</p>' });
    provider.play(family, stepsOf(family));
    const agentId = await service.start({ question: 'How long is the bridge?', model: family.name });
    const events = await service.follow(agentId);
    const run = await service.read(agentId);
    expect(run).toMatchObject({ status: 'succeeded', result: beginning + rest });
    expect(events.flatMap(({ type, toolName }) => (type === 'tool_call' ? [toolName] : []))).toEqual([
      ...(family.parallel ? ['web_search'] : []),
      'web_search',
      'web_crawl',
      'save_file',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Thought \d|sig-\d|think>|tool_call>/);
    expect(provider.refused).toBe(family.refusals ?? 0);
    const { input, output } = provider.books;
    expect(await spentNanoEuro(agentId)).toBe(1_000 * input + 2_000 * output);
  });
});

async function spentNanoEuro(agentId: string): Promise<number> {
  const response = await service.request('/v1/credits/entries?limit=100');
  const { entries } = (await response.json()) as { entries: { runId?: string; amount: string }[] };
  const own = entries.filter(({ runId }) => runId === agentId);
  return Math.round(own.reduce((sum, { amount }) => sum - Number(amount) * 1e9, 0));
}

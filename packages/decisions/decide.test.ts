import { type DecisionEngine, parseCatalogue } from '@errand/models';
import { listEntries, whenSettled } from '@errand/money';
import { silentLog } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTestAccount, testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { type RecordingServer, sendJson, serveAndRecord } from '../../test/support/local-server.ts';
import { decide, readDecision } from './decide.ts';
import type { DecisionDeps } from './deps.ts';
import { systemOne } from './dialects/system-one/index.ts';
import { createFakeModel } from './test-support/fake-model.ts';
import { serveSglang, serveVllm } from './test-support/fake-servers.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const model = createFakeModel({ favours: { ' A': 8, ' B': 7 } });
const serveSystemOne = () =>
  serveAndRecord((_, response) =>
    sendJson(response, 200, {
      answers: { '7': { type: 'choice', probabilities: { x: 0.25, '3': 0.75 } } },
      usage: { input_tokens: 5 },
    }),
  );

const body =
  '{"model":"judge","state":"x","questions":{"7":{"type":"choice","criteria":{"x":null,"3":null}}}}';

describe('a decision', () => {
  it.each([
    ['systemone', serveSystemOne],
    ['prompt_logprobs', () => serveVllm({ model })],
    ['token_ids_logprob', () => serveSglang({ model })],
  ] satisfies [DecisionEngine, () => Promise<RecordingServer>][])(
    'is read by the engine that the catalogue names: %s',
    async (engine, start) => {
      const server = await start();
      const accounts = testAccounts(dynamo);
      const principal = await newTestAccount(accounts);
      const { accountId } = principal;
      const entry = {
        id: 'judge',
        kind: 'decision',
        engine,
        upstream: { baseUrl: server.url, model: 'tiny' },
        price: { inputPerMillionTokens: 1 },
      };
      const deps: DecisionDeps = {
        accounts,
        catalogue: parseCatalogue({ models: [entry], roles: { decision: 'judge' } }, () => undefined),
        location: 'eu',
        clock: accounts.clock,
        log: silentLog,
        carbonIntensity: async () => 250,
        deferCharge: async () => {},
      };
      const deadline = { signal: new AbortController().signal, abort() {}, commit() {} };
      const credits = { balanceNanoEuro: 1, payer: { accountId } };
      const decision = await readDecision(deps, principal, systemOne, body);
      const text = await decide(deps, decision, { principal, requestId: 'request', credits }, deadline);
      const { answers, usage } = JSON.parse(text);
      const { x, '3': three } = answers['7'].probabilities;
      expect(text).toContain('"probabilities":{"x":');
      expect(x + three).toBeCloseTo(1, 9);
      expect(answers['7'].choice).toBe(x >= three ? 'x' : '3');
      await whenSettled(accounts);
      const { entries } = await listEntries(accounts, { accountId }, { limit: 100 });
      expect(entries.filter(({ kind }) => kind === 'decision')).toMatchObject([
        {
          inputTokens: usage.input_tokens,
          amountNanoEuro: -1_000 * usage.input_tokens,
          upstream: `${new URL(server.url).host}/tiny`,
          requestId: 'request',
          keyId: principal.keyId,
        },
      ]);
      await server.close();
    },
  );
});

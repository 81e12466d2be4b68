import { createKey } from '@errand/accounts';
import type { KeyLimits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { type DecisionService, simpleBody, startDecisionService } from './support/decision-service.ts';
import { answerAll } from './support/upstream.ts';

const requestsOfWindow = 2;
const rate = { rateLimitRequests: requestsOfWindow };

let eu: DecisionService;
let us: DecisionService;
beforeAll(async () => {
  [eu, us] = await Promise.all([
    startDecisionService(rate),
    startDecisionService({ ...rate, location: 'us' }),
  ]);
  for (const { upstream } of [eu, us]) upstream.reply(answerAll);
});
afterAll(() => Promise.all([eu.close(), us.close()]));

async function keyOf({ deps }: DecisionService, credits: string, keyLimits: KeyLimits): Promise<string> {
  const { accountId } = await newTestAccount(deps.accounts, { credits });
  return (await createKey(deps.accounts, { accountId, label: 'test', limits: keyLimits })).key;
}

const elsewhere: KeyLimits = { routes: ['runs'] };
const spent: KeyLimits = { budget: { amountNanoEuro: 0, period: 'day' } };
const forbidden = 'This key may not be used for decisions.';
const wrongPlace = 'Decisions are served from the EU endpoint only';

describe.each([
  ['no JSON', '{'],
  ['a wrong field', '{}'],
  ['nothing wrong', JSON.stringify(simpleBody)],
])('a decision with %s', (_, body) => {
  it.each<[string, () => DecisionService, number, string, string, KeyLimits]>([
    [
      'for a key of other routes, at the wrong place, without credits',
      () => us,
      403,
      forbidden,
      '0',
      elsewhere,
    ],
    ['at the wrong place, without credits', () => us, 403, wrongPlace, '0', {}],
    ['without credits', () => eu, 402, 'No remaining credits (EUR)', '0', {}],
    ['of a spent budget', () => eu, 402, '', '1', spent],
  ])(
    'is refused for the first of its faults, counted, and not forwarded: %s',
    async (_why, serviceOf, status, error, credits, keyLimits) => {
      const service = serviceOf();
      const asked = service.upstream.requests.length;
      const key = await keyOf(service, credits, keyLimits);
      for (let left = requestsOfWindow - 1; left >= 0; left--) {
        const response = await service.post(body, { key });
        expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([
          status,
          String(left),
        ]);
        expect(await response.text()).toContain(error);
      }
      for (let i = 0; i < 2; i++) {
        const response = await service.post(body, { key });
        expect([response.status, response.headers.get('RateLimit-Remaining')]).toEqual([429, '0']);
      }
      expect(service.upstream.requests.length).toBe(asked);
    },
  );
});

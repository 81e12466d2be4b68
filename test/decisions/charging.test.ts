import { showCredits } from '@errand/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DecisionService, simpleBody, startDecisionService } from './support/decision-service.ts';

let service: DecisionService;
beforeAll(async () => {
  service = await startDecisionService();
});
afterAll(() => service.close());

describe('a decision', () => {
  it('is charged once, by its input tokens', async () => {
    expect((await service.post(simpleBody)).status).toBe(200);
    expect(await service.ledger()).toEqual([
      {
        id: expect.stringMatching(/^decision_/),
        at: new Date(service.clock()).toISOString(),
        kind: 'decision',
        accountId: service.accountId,
        model: 'judge',
        inputTokens: 7,
        outputTokens: 0,
        amountNanoEuro: -700,
      },
    ]);
    const { balanceNanoEuro } = await showCredits(service.deps.accounts, { accountId: service.accountId });
    expect(balanceNanoEuro).toBe(10_000_000_000 - 700);
  });

  it('is charged to the organisation whose subscription covers the account', async () => {
    const before = await service.ledger();
    const key = await service.newKey('0', true);
    expect((await service.post(simpleBody, { key })).status).toBe(200);
    expect(await service.ledger()).toEqual(before);
  });

  it('is answered where the ledger takes its charge on a later try, charged once', async () => {
    const before = await service.ledger();
    failTransactions(service, 2);
    expect((await service.post(simpleBody)).status).toBe(200);
    expect(await service.ledger()).toHaveLength(before.length + 1);
    expect(service.deferred).toEqual([]);
  });

  it('is answered and its charge handed on where the ledger does not take it', async () => {
    const before = await service.ledger();
    failTransactions(service, 3);
    expect((await service.post(simpleBody)).status).toBe(200);
    expect(await service.ledger()).toEqual(before);
    expect(service.deferred).toMatchObject([
      { kind: 'decision', inputTokens: 7, amountNanoEuro: 700, payer: { accountId: service.accountId } },
    ]);
  });

  it('is answered where even that fails, with what was lost in the log', async () => {
    failTransactions(service, 3);
    service.deps.deferCharge = async () => {
      throw new Error('no queue');
    };
    expect((await service.post(simpleBody)).status).toBe(200);
    expect(service.log.at(-1)).toMatchObject({ level: 'error', message: 'charge lost', amountNanoEuro: 700 });
  });
});

/** An embedded DynamoDB cannot fail: the next transactions are failed on their way to it. */
function failTransactions({ dynamo }: DecisionService, times: number): void {
  let left = times;
  dynamo.dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      if (context.commandName !== 'TransactWriteItemsCommand' || left === 0) return next(args);
      left--;
      throw new Error('no network');
    },
    { step: 'initialize', name: 'failTransactions', override: true },
  );
}

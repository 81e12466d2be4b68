import { addCredits, applyCharge, type Charge, showCredits, whenSettled } from '@errand/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
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
        requestId: expect.any(String),
        keyId: service.keyId,
        price: { inputPerMillionTokens: 0.1 },
        upstream: `${new URL(service.upstream.url).host}/upstream-judge`,
        energy: expect.any(Number),
        emissions: expect.any(Number),
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

  it('is answered and charged once if the ledger takes the charge at a later attempt', async () => {
    const before = await service.ledger();
    failTransactions(service, 2);
    expect((await service.post(simpleBody)).status).toBe(200);
    expect(await service.ledger()).toHaveLength(before.length + 1);
    expect(service.deferred).toEqual([]);
  });

  it('is answered and its charge deferred if the ledger does not take it', async () => {
    const before = await service.ledger();
    failTransactions(service, 3);
    expect((await service.post(simpleBody)).status).toBe(200);
    expect(await service.ledger()).toEqual(before);
    expect(service.deferred).toMatchObject([
      { kind: 'decision', inputTokens: 7, amountNanoEuro: 700, payer: { accountId: service.accountId } },
    ]);
    const [{ id, payer, price, reservation, ...fields }] = JSON.parse(JSON.stringify(service.deferred)) as [
      Charge,
    ];
    // A local queue is lost with its process: the line is enough to book the charge by hand.
    expect(service.log.at(-1)).toMatchObject({
      level: 'warn',
      message: 'charge deferred',
      charge: id,
      ...payer,
      ...fields,
      price: JSON.stringify(price),
      reservation: reservation?.id,
    });
  });

  it('is answered and its charge deferred if the ledger is too slow, and the late write of the ledger changes nothing', async () => {
    const before = await service.ledger();
    service.deferred.length = 0;
    const writes: Promise<unknown>[] = [];
    const release = holdTransactions(service, writes);
    expect((await service.post(simpleBody)).status).toBe(200);
    while (service.deferred.length === 0) {
      await new Promise(setImmediate);
      if (writes.length > 0) service.endTime();
    }
    expect(writes).toHaveLength(3);
    release();
    await Promise.allSettled(writes);
    const [deferred] = service.deferred;
    if (deferred) await applyCharge(service.deps.accounts, deferred);
    expect(await service.ledger()).toHaveLength(before.length + 1);
  });

  it('is answered before its charge is in the ledger, and credits are read only after it', async () => {
    const before = await service.ledger();
    const asked = service.upstream.requests.length;
    const release = holdTransactions(service, []);
    expect((await service.post(simpleBody)).status).toBe(200);
    let next = 'waits';
    const answer = service.post(simpleBody).then(({ status }) => {
      next = `answered ${status}`;
    });
    while (service.upstream.requests.length < asked + 2) await new Promise(setImmediate);
    expect(next).toBe('waits');
    release();
    await answer;
    expect(next).toBe('answered 200');
    expect(await service.ledger()).toHaveLength(before.length + 2);
  });

  it('is answered even if the charge cannot be deferred, and the log has the whole charge', async () => {
    failTransactions(service, 3);
    service.deps.deferCharge = async () => {
      throw new Error('no queue');
    };
    expect((await service.post(simpleBody)).status).toBe(200);
    await whenSettled(service.deps.accounts);
    expect(service.log.at(-1)).toMatchObject({
      level: 'error',
      message: 'charge not written',
      amountNanoEuro: 700,
    });
  });
});

describe('an account that had plenty and has none left', () => {
  it('is refused for its credits before its body is checked, and is charged nothing', async () => {
    const { accounts } = service.deps;
    const { key, accountId } = await newTestAccount(accounts, { credits: '1' });
    expect((await service.post(simpleBody, { key })).status).toBe(200);
    await addCredits(accounts, { accountId, amountNanoEuro: -1_000_000_000 });
    for (const body of [simpleBody, '{', '{}']) expect((await service.post(body, { key })).status).toBe(402);
    const { entries } = await showCredits(accounts, { accountId });
    expect(entries.filter(({ kind }) => kind === 'decision')).toHaveLength(1);
  });
});

/** Fails the next transactions before they are sent, because the embedded DynamoDB never fails. */
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

/** Makes all further transactions wait until they are released. */
function holdTransactions({ dynamo }: DecisionService, writes: Promise<unknown>[]): () => void {
  const gate = Promise.withResolvers<void>();
  dynamo.dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      if (context.commandName !== 'TransactWriteItemsCommand') return next(args);
      const writing = gate.promise.then(() => next(args));
      writes.push(writing);
      return writing;
    },
    { step: 'initialize', name: 'failTransactions', override: true },
  );
  return gate.resolve;
}

import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  anotherProcess,
  type HeldClock,
  newTestAccount,
  testAccounts,
} from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { addCredits } from '../add-credits.ts';
import type { MoneyDeps } from '../deps.ts';
import { readAccountPurse, readCredits } from '../read-credits.ts';
import type { Credits } from '../reserve.ts';
import { settleCharge } from '../settle-charge.ts';
import { showCredits } from '../show-credits.ts';
import { itemKeys } from '../store.ts';
import { chargeOf, costing, holdMilliseconds, letIn } from '../test-support/calls.ts';
import { writeDraft } from './drafts.ts';
import { releaseReservation, renewReservation } from './reservation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

interface Call {
  id: string;
  credits: Credits;
  /** What may be charged if its process dies: the last word of a renewal, or an earlier one if that came late. */
  known: number[];
  /** Renewals of a call follow each other. */
  renewed: Promise<void>;
  /** What was charged, if it was. */
  charged?: number;
  released: boolean;
}

interface Books {
  processes: MoneyDeps[];
  clock: HeldClock;
  account: Awaited<ReturnType<typeof newTestAccount>>;
  calls: Call[];
}

type Step = (books: Books) => Promise<unknown>;

/** A step that a counterexample shows by its name and numbers. */
const named =
  <T>(name: string, work: (numbers: T) => Step) =>
  (numbers: T): Step =>
    Object.assign(work(numbers), { [fc.toStringMethod]: () => `${name} ${JSON.stringify(numbers)}` });

const amount = fc.integer({ min: 0, max: 1_500 });
const which = fc.nat();
const chosen = ({ calls }: Books, at: number): Call | undefined => calls[at % Math.max(1, calls.length)];

const letsIn = fc.record({ most: amount, input: amount, process: which, budget: fc.boolean() }).map(
  named(
    'letsIn',
    ({ most, input, process, budget }): Step =>
      async (books) => {
        const { account, calls, processes } = books;
        const limits = budget
          ? { limits: { budget: { amountNanoEuro: 2_000, period: 'day' as const } } }
          : {};
        const deps = processes[process % processes.length]!;
        const { credits } = await letIn(
          deps,
          { ...account, ...limits },
          costing(most, Math.min(most, input)),
        );
        if (credits)
          calls.push({
            id: `call-${account.accountId}-${calls.length}`,
            credits,
            known: [0],
            renewed: Promise.resolve(),
            released: false,
          });
      },
  ),
);

interface Renewal {
  more: number;
  known: number;
}

async function renew({ processes }: Books, call: Call, { more, known }: Renewal): Promise<void> {
  const { reservation } = call.credits;
  if (!reservation || call.charged !== undefined || call.released) return;
  const [deps] = processes as [MoneyDeps];
  const drafted = Math.max(...call.known, Math.min(known, reservation.nanoEuro));
  await writeDraft(deps, reservation, chargeOf(deps, call.id, call.credits, drafted));
  await renewReservation(deps, reservation, more);
  const isGone = reservation.parts.some((part) => part.isGone);
  call.known = isGone ? [...call.known, drafted] : [drafted];
}

const renews = fc.record({ at: which, more: fc.integer({ min: 0, max: 300 }), known: amount }).map(
  named(
    'renews',
    ({ at, ...renewal }): Step =>
      async (books) => {
        const call = chosen(books, at);
        if (call) call.renewed = call.renewed.then(() => renew(books, call, renewal));
        await call?.renewed;
      },
  ),
);

/** A call is charged what it cost, however often its charge is written, and by whichever process. */
const settles = fc
  .record({ at: which, cost: amount, process: which, times: fc.integer({ min: 1, max: 3 }) })
  .map(
    named(
      'settles',
      ({ at, cost, process, times }): Step =>
        async (books) => {
          const call = chosen(books, at);
          if (!call || call.released) return;
          const { clock, processes } = books;
          const deps = processes[process % processes.length]!;
          call.charged ??= cost;
          const charge = structuredClone(chargeOf({ clock }, call.id, call.credits, call.charged));
          const settling = {
            ...deps,
            deferCharge: async () => Promise.reject(new Error('the ledger did not take a charge')),
          };
          await Promise.all(Array.from({ length: times }, () => settleCharge(settling, charge)));
        },
    ),
  );

const releases = which.map(
  named(
    'releases',
    (at): Step =>
      async (books) => {
        const call = chosen(books, at);
        if (!call || call.charged !== undefined) return;
        call.released = true;
        await releaseReservation(books.processes[0]!, call.credits.reservation);
      },
  ),
);

const passes = fc.integer({ min: 1, max: 90_000 }).map(
  named(
    'passes',
    (milliseconds): Step =>
      async ({ clock }) =>
        clock.advance(milliseconds),
  ),
);

const mends = which.map(
  named(
    'mends',
    (at): Step =>
      ({ processes, account }) =>
        readCredits(processes[at % processes.length]!, account.accountId),
  ),
);

const adds = fc.oneof(fc.integer({ min: -500, max: -1 }), fc.integer({ min: 1, max: 1_500 })).map(
  named(
    'adds',
    (amountNanoEuro): Step =>
      async ({ processes, account }) =>
        addCredits(processes[0]!, { accountId: account.accountId, amountNanoEuro }),
  ),
);

let charges = 0;
/** As a release that knows the balance alone does. */
const chargesAsBefore = amount.map(
  named(
    'chargesAsBefore',
    (amountNanoEuro): Step =>
      async ({ account: { accountId }, processes }) => {
        const TableName = dynamo.tables.accounts;
        const ledger = `LEDGER#${accountId}`;
        const at = '2026-11-21T10:00:00.000Z';
        const entry = { kind: 'completion', accountId, model: 'writer', amountNanoEuro: -amountNanoEuro };
        await dynamo.dynamodb.send(
          new PutCommand({
            TableName,
            Item: { pk: ledger, sk: `before-${charges++}`, ledger, at, ...entry },
          }),
        );
        await dynamo.dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: itemKeys.balance(accountId),
            UpdateExpression: 'ADD balanceNanoEuro :amount',
            ExpressionAttributeValues: { ':amount': -amountNanoEuro },
          }),
        );
        // Until the next request the purse says that more is available than there is.
        await readCredits(processes[0]!, accountId);
      },
  ),
);

const steps = fc.oneof(
  { arbitrary: letsIn, weight: 6 },
  { arbitrary: renews, weight: 4 },
  { arbitrary: settles, weight: 4 },
  { arbitrary: releases, weight: 1 },
  { arbitrary: passes, weight: 3 },
  { arbitrary: mends, weight: 1 },
  { arbitrary: adds, weight: 1 },
  { arbitrary: chargesAsBefore, weight: 1 },
);

async function expectAgreement({ account: { accountId } }: Books): Promise<void> {
  const purse = await readAccountPurse(dynamo, accountId);
  const { entries } = await showCredits(dynamo, { accountId });
  const sum = entries.reduce((all, { amountNanoEuro }) => all + amountNanoEuro, 0);
  const held = [...purse.holds.values()].reduce((all, { nanoEuro }) => all + nanoEuro, 0);
  expect({ balance: purse.balanceNanoEuro, available: purse.availableNanoEuro + held }).toEqual({
    balance: sum,
    available: sum,
  });
}

/** Every call is charged what it cost, as far as there was something, or if nobody came to charge it what was last known of it. */
async function expectCharges({ account: { accountId }, calls }: Books): Promise<void> {
  const { entries } = await showCredits(dynamo, { accountId });
  const paid = (id: string) => {
    const { amountNanoEuro = 0, writtenOffNanoEuro = 0 } = entries.find((entry) => entry.id === id) ?? {};
    return writtenOffNanoEuro - amountNanoEuro;
  };
  for (const { id, charged, known, released } of calls) {
    const all = paid(id) + paid(`${id}:draft`);
    const expected = known.map((draft) => Math.max(charged ?? 0, draft));
    const isOver = charged !== undefined || released;
    expect(isOver ? [charged ?? 0, ...expected] : expected).toContain(all);
  }
}

test('the balance equals the ledger and available + holds at all times, and in the end no hold is left', async () => {
  const turns = fc.array(fc.array(steps, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(turns, fc.integer({ min: 0, max: 5_000 }), async (all, creditsNanoEuro) => {
      const deps = testAccounts(dynamo, { rateLimitRequests: 1e6 });
      deps.clock.wait = async () => {};
      const other = anotherProcess(dynamo, deps);
      const account = await newTestAccount(deps, { credits: (creditsNanoEuro / 1e9).toFixed(9) });
      const books: Books = { processes: [deps, other], clock: deps.clock, account, calls: [] };
      for (const turn of all) {
        await Promise.all(turn.map((step) => step(books)));
        await readCredits(deps, account.accountId);
        await expectAgreement(books);
      }
      deps.clock.advance(holdMilliseconds);
      await readCredits(deps, account.accountId);
      await expectAgreement(books);
      await expectCharges(books);
      const purse = await readAccountPurse(deps, account.accountId);
      expect([purse.holds.size, purse.availableNanoEuro]).toEqual([0, purse.balanceNanoEuro]);
      other.close();
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('a balance never ends below zero by more than what calls cost beyond what was set aside for them, however late they are charged', async () => {
  const call = fc.record({
    most: amount,
    over: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 })),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const calls = fc.array(call, { minLength: 1, maxLength: 12 });
  /** Processes that stand still charge after their reservations have ended, and others have spent what was set aside. */
  const groups = fc.array(fc.record({ calls, standsStill: fc.boolean() }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(groups, fc.integer({ min: 0, max: 5_000 }), async (all, creditsNanoEuro) => {
      const deps = testAccounts(dynamo, { rateLimitRequests: 1e6 });
      deps.clock.wait = async () => {};
      const other = anotherProcess(dynamo, deps);
      const account = await newTestAccount(deps, { credits: (creditsNanoEuro / 1e9).toFixed(9) });
      let [overrun, id] = [0, 0];
      const enter = async (
        { most, over, share }: { most: number; over: number; share: number },
        at: number,
      ) => {
        const process = at % 2 === 0 ? deps : other;
        const { credits } = await letIn(process, account, costing(most));
        return async () => {
          if (!credits) return;
          overrun += over;
          const cost = Math.round((credits.reservation?.nanoEuro ?? 0) * share) + over;
          const charge = chargeOf(deps, `${account.accountId}-${id++}`, credits, cost);
          await settleCharge({ ...process, deferCharge: async () => {} }, charge);
        };
      };
      for (const { calls, standsStill } of all) {
        const settles = await Promise.all(calls.map(enter));
        if (standsStill) {
          deps.clock.advance(holdMilliseconds);
          await readCredits(deps, account.accountId);
          await (await enter({ most: creditsNanoEuro, over: 0, share: 1 }, 0))();
        }
        await Promise.all(settles.map((settle) => settle()));
      }
      const { balanceNanoEuro, availableNanoEuro } = await readAccountPurse(deps, account.accountId);
      expect(balanceNanoEuro).toBeGreaterThanOrEqual(-overrun);
      expect(availableNanoEuro).toBe(balanceNanoEuro);
      other.close();
    }),
    { numRuns: 40 },
  );
});

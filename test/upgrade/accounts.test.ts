import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Caller, toNanoEuro, until } from './support/caller.ts';
import { keptCharges } from './support/data-folder.ts';
import { chargeAsBefore } from './support/earlier-charge.ts';
import { chat, decide } from './support/fill.ts';
import { answerTo, nanoEuroOf } from './support/models.ts';
import { readServiceFile } from './support/process.ts';
import { startUpgraded, type Upgraded, upgrades } from './support/upgraded.ts';

describe.each(upgrades)('accounts of the release $release, kept in a $home', (upgrade) => {
  let upgraded: Upgraded;
  let settled: Caller;

  beforeAll(async () => {
    upgraded = await startUpgraded(upgrade);
    settled = upgraded.call(upgraded.manifest.settled.key);
  });
  afterAll(() => upgraded.stop());

  const balanceOf = async (caller: Caller) => toNanoEuro((await caller.credits()).balance);

  /** The account's balance, once it has this many entries more. */
  async function balanceAfter(more: number, before: { entries: unknown[] }): Promise<number> {
    const wanted = before.entries.length + more;
    await until(`${more} charges`, async () => (await settled.credits()).entries.length >= wanted);
    expect((await settled.credits()).entries).toHaveLength(wanted);
    return balanceOf(settled);
  }

  test('every key works, and a revoked one does not', async () => {
    const { first, settled: held, covered } = upgraded.manifest;
    for (const key of [first.key, held.key, held.secondKey, covered.key])
      expect((await upgraded.call(key).send('/v1/credits')).status).toBe(200);
    expect((await upgraded.call(held.revokedKey).send('/v1/credits')).status).toBe(401);
  });

  test('a frozen account stays frozen, and can be thawed', async () => {
    const { accountId, key } = upgraded.manifest.frozen;
    expect((await upgraded.call(key).send('/v1/credits')).status).toBe(401);
    await upgraded.admin('account', 'thaw', accountId);
    expect((await upgraded.call(key).send('/v1/credits')).status).toBe(200);
  });

  test.runIf(upgrade.home === 'data folder')('the first key is still the one that is shown', async () => {
    const { first } = upgraded.manifest;
    expect(await readServiceFile(upgraded.dataDir)).toMatchObject({
      apiKey: first.key,
      accountId: first.accountId,
    });
  });

  test('a charge that was not yet in the ledger is made once, and nothing else has changed', async () => {
    const { balanceBeforeKeptCharge, keptCharge, entries } = upgraded.manifest.settled;
    const expected = toNanoEuro(balanceBeforeKeptCharge) - toNanoEuro(keptCharge);
    expect(await balanceAfter(1, { entries })).toBe(expected);
    const { entries: now } = await settled.credits();
    expect(now).toMatchObject([{ kind: 'completion', amount: `-${keptCharge}` }, ...entries]);
    expect(await keptCharges(upgraded.dataDir)).toEqual([]);
  });

  test('the entries can be paged as one list', async () => {
    const { entries } = await settled.credits();
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { entries: unknown[]; cursor?: string } = await settled.read(`/v1/credits?limit=4${after}`);
      seen.push(...page.entries);
      cursor = page.cursor;
    }
    expect(seen).toEqual(entries);
  });

  test('the operator sees the same balance and entries', async () => {
    const { accountId } = upgraded.manifest.settled;
    const { balance, entries } = await settled.credits();
    const seen = entries.map(({ at, kind, amount }) => ({ at, kind, amount }));
    const shown = await upgraded.admin('credits', 'show', '--account', accountId);
    expect(shown).toMatchObject({ balance, entries: seen });
  });

  test('an organisation is metered for what it was', async () => {
    expect(await upgraded.metered()).toEqual(
      expect.arrayContaining(
        upgraded.manifest.covered.entries.map((entry) => expect.objectContaining(entry)),
      ),
    );
  });

  test('new completions and decisions are answered and charged', async () => {
    const before = await settled.credits();
    await chat(settled, 'Hello again');
    await decide(settled);
    const decision = (await balanceAfter(2, before)) + nanoEuroOf.completion;
    const { amount } = (await settled.credits()).entries.find(({ kind }) => kind === 'decision')!;
    expect(decision).toBe(toNanoEuro(before.balance) + toNanoEuro(amount));
  });

  test('a subscription still pays for an account without credits', async () => {
    const covered = upgraded.call(upgraded.manifest.covered.key);
    const before = await upgraded.metered();
    await chat(covered, 'Hello again');
    await until('it is metered', async () => (await upgraded.metered()).length > before.length);
    expect(await balanceOf(covered)).toBe(0);
  });

  test('credits that are added are in the balance', async () => {
    const before = await settled.credits();
    await upgraded.admin('credits', 'add', '--account', upgraded.manifest.settled.accountId, '--amount', '1');
    expect(await balanceAfter(1, before)).toBe(toNanoEuro(before.balance) + 1e9);
  });

  /** What an account is charged by a process of an earlier release, minutes after the fixture was made. */
  const earlierCharge = (id: string, amountNanoEuro: number) => ({
    accountId: upgraded.manifest.settled.accountId,
    id: `chat_${id}`,
    at: new Date(Date.parse(upgraded.manifest.at) + 240_000).toISOString(),
    amountNanoEuro,
  });

  test("a charge that a process of an earlier release makes during a request counts, and so does the request's own charge", async () => {
    const before = await settled.credits();
    const { provider } = upgraded.models;
    const asked = Promise.withResolvers<void>();
    const charged = Promise.withResolvers<void>();
    provider.script(async (request) => {
      asked.resolve();
      await charged.promise;
      return answerTo(request);
    });
    const answering = chat(settled, 'Hello again');
    await asked.promise;
    const charge = earlierCharge('during', 1_500_000);
    await chargeAsBefore(upgraded, charge);
    await expect(chargeAsBefore(upgraded, charge)).rejects.toThrow('Transaction cancelled');
    charged.resolve();
    await answering;
    provider.script(answerTo);
    const spent = charge.amountNanoEuro + nanoEuroOf.completion;
    expect(await balanceAfter(2, before)).toBe(toNanoEuro(before.balance) - spent);
  });

  test('an account that has spent its last credits at a process of an earlier release is refused until credits are added', async () => {
    const before = await settled.credits();
    await chargeAsBefore(upgraded, earlierCharge('last', toNanoEuro(before.balance)));
    expect(await balanceAfter(1, before)).toBe(0);
    await expect(chat(settled, 'Hello again')).rejects.toThrow('402');
    await upgraded.admin('credits', 'add', '--account', upgraded.manifest.settled.accountId, '--amount', '1');
    await chat(settled, 'Hello again');
    expect(await balanceAfter(3, before)).toBe(1e9 - nanoEuroOf.completion);
  });

  test('the books agree', async () => {
    // The last charge is written in its own time.
    await eventually(() => upgraded.problems()).toEqual([]);
  });
});

import { toSeconds } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testAccounts } from '../../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../../test/support/dynamodb.ts';
import { packTally, unpackGroups } from './pack.ts';
import { addGroup, type Tally } from './tally.ts';
import { readDays, readHours, writeDay } from './usage-store.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const day = Date.parse('2026-11-21T00:00:00Z');
const part = (text: string) => Buffer.from(text);
const texts = (parts: Uint8Array[] | undefined) => parts?.map((each) => String(Buffer.from(each)));

test('a day of many parts is read as it was written, and its neighbours are not', async () => {
  const deps = testAccounts(dynamo);
  const dayParts = [part('a'), part('b'), part('c')];
  const hoursParts = [part('d'), part('e')];
  for (const [i, digest] of ['yesterday', 'today', 'tomorrow'].entries()) {
    const at = day + (i - 1) * 24 * 60 * 60 * 1000;
    const written = { untilHour: 24, digest, dayParts, hoursParts };
    expect(await writeDay(deps, 'LEDGER#parts', at, written, undefined)).toBe(true);
  }
  const { days, parts } = await readDays(deps, 'LEDGER#parts', [day, day]);
  expect([...days.keys()]).toEqual(['2026-11-21']);
  expect(days.get('2026-11-21')).toMatchObject({
    untilHour: 24,
    digest: 'today',
    dayParts: 3,
    hoursParts: 2,
  });
  expect(texts(parts.get('today'))).toEqual(['a', 'b', 'c']);
  expect(texts((await readHours(deps, 'LEDGER#parts', [day, day])).get('today'))).toEqual(['d', 'e']);
});

test('one of two writes that replace the same roll-up wins, and readers see its parts', async () => {
  const deps = testAccounts(dynamo);
  const written = (digest: string, text: string) => ({
    untilHour: 24,
    digest,
    dayParts: [part(`${text}1`), part(`${text}2`)],
    hoursParts: [part(text)],
  });
  const won = await Promise.all(
    ['x', 'y'].map((text) => writeDay(deps, 'LEDGER#race', day, written(text, text), undefined)),
  );
  expect(won.filter(Boolean)).toHaveLength(1);
  const winner = won[0] ? 'x' : 'y';
  const { days, parts } = await readDays(deps, 'LEDGER#race', [day, day]);
  expect(days.get('2026-11-21')?.digest).toBe(winner);
  expect(texts(parts.get(winner))).toEqual([`${winner}1`, `${winner}2`]);
  expect(await writeDay(deps, 'LEDGER#race', day, written('z', 'z'), 'another')).toBe(false);
  expect(await writeDay(deps, 'LEDGER#race', day, written('z', 'z'), winner)).toBe(true);
});

test('a day that is not whole expires, a whole one does not', async () => {
  const deps = testAccounts(dynamo);
  const parts = { dayParts: [part('a')], hoursParts: [part('b')] };
  const stored = async () =>
    (await readDays(deps, 'LEDGER#expiry', [day, day])).days.get('2026-11-21') as {
      expiresAtSeconds?: number;
    };
  await writeDay(deps, 'LEDGER#expiry', day, { untilHour: 23, digest: '1', ...parts }, undefined);
  expect((await stored()).expiresAtSeconds).toBeGreaterThan(toSeconds(deps.clock()));
  await writeDay(deps, 'LEDGER#expiry', day, { untilHour: 24, digest: '2', ...parts }, '1');
  expect((await stored()).expiresAtSeconds).toBeUndefined();
});

test('sums that fill many items are unpacked as they were', () => {
  const tally: Tally = new Map();
  for (let i = 0; i < 30_000; i++)
    addGroup(
      tally,
      i % 24,
      [`account_${i}`, crypto.randomUUID(), 'm', 'completion', null],
      [i, 1, 2, 3, 4, 5, 6, 7],
    );
  const parts = packTally(tally);
  expect(parts.length).toBeGreaterThan(2);
  const again: Tally = new Map();
  for (const group of unpackGroups(parts)) addGroup(again, ...group);
  expect(again).toEqual(tally);
});

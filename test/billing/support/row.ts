import { createKey, freezeAccount, revokeKey, thawAccount } from '@errand/accounts';
import { checkBalances } from '@errand/money';
import { limits } from '@errand/platform';
import { accountsDeps } from '@errand/service';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Ground, startGround } from '../../faults/support/ground.ts';
import { eventually } from '../../support/eventually.ts';
import { type HeldProvider, startHeldProvider } from './held-provider.ts';
import { type Caller, type House, type HouseOptions, openHouse } from './house.ts';

/** A charge as `GET /v1/credits/entries` has it. */
export interface Entry {
  id: string;
  kind: string;
  amount: string;
  inputTokens?: number;
  outputTokens?: number;
  seconds?: number;
  runId?: string;
  brokenOff?: boolean;
}

interface Stage {
  ground: Ground;
  provider: HeldProvider;
  /** Closed at the end of the test. */
  open(options?: HouseOptions): Promise<House>;
}

let stage: Omit<Stage, 'open'>;

/** One AWS and one provider for all tests of a file. */
export function useStage(): void {
  beforeAll(async () => {
    const [ground, provider] = await Promise.all([startGround(), startHeldProvider()]);
    stage = { ground, provider };
    return async () => {
      await provider.close();
      await ground.close();
    };
  });
}

/** A test with the service opened for it. All that it opens is closed after it. */
export function withHouse(
  name: string,
  run: (house: House, stage: Stage) => Promise<void>,
  options?: HouseOptions,
  timeoutMilliseconds?: number,
): void {
  test(
    name,
    async () => {
      stage.provider.hold();
      const houses: House[] = [];
      const open = async (options: HouseOptions = {}) => {
        const house = await openHouse(stage.ground, stage.provider, options);
        houses.push(house);
        return house;
      };
      try {
        await run(await open(options), { ...stage, open });
      } finally {
        vi.restoreAllMocks();
        for (const house of houses.toReversed()) await house.close();
      }
    },
    timeoutMilliseconds,
  );
}

/**
 * A row of the table of docs/billing.md, with the same words. `breakOff` returns the charges that must be made; after it
 * nothing may be reserved, and the books must be sound.
 */
export function row(
  route: string,
  when: string,
  charged: string,
  breakOff: (house: House, stage: Stage) => Promise<Partial<Entry>[]>,
  options?: HouseOptions,
): void {
  withHouse(
    `${route}: ${when}: ${charged}`,
    async (house, opened) => {
      const expected = await breakOff(house, opened);
      await expectCharged(house, house.caller, expected);
    },
    options,
  );
}

/** Waits until nothing is reserved, and expects that exactly these charges were made. Read by another process and key. */
export async function expectCharged(
  house: House,
  { accountId }: Pick<Caller, 'accountId'>,
  expected: Partial<Entry>[],
): Promise<void> {
  const reader = await house.open();
  try {
    const deps = accountsDeps(reader.parts);
    const key = await readingKey(reader, accountId);
    await eventually(async () => (await creditsOf(reader, key)).reserved).toBe('0');
    const { balance, available } = await creditsOf(reader, key);
    expect(available).toBe(balance);
    const told = (await entriesOf(reader, key)).toSorted(byKind);
    expect(told).toEqual(expected.toSorted(byKind).map((entry) => expect.objectContaining(entry)));
    for await (const found of checkBalances(deps, accountId)) expect(found).toBeUndefined();
  } finally {
    await reader.close();
  }
}

const byKind = (a: Partial<Entry>, b: Partial<Entry>) =>
  `${a.kind} ${a.inputTokens}`.localeCompare(`${b.kind} ${b.inputTokens}`);

/** The row's own key may have been revoked, and its account frozen. */
async function readingKey({ parts }: House, accountId: string): Promise<string> {
  const deps = accountsDeps(parts);
  await thawAccount(deps, accountId).catch(() => {});
  return (await createKey(deps, { accountId, label: 'reader' })).key;
}

export async function creditsOf(
  house: House,
  key: string,
): Promise<{ balance: string; reserved: string; available: string }> {
  const response = await house.request('/v1/credits', { key });
  return (await response.json()) as { balance: string; reserved: string; available: string };
}

/** All charges, the newest first. */
export async function entriesOf(house: House, key: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `/v1/credits/entries?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await house.request(path, { key });
    const page = (await response.json()) as { entries: Entry[]; cursor?: string };
    entries.push(...page.entries.filter(({ kind }) => kind !== 'credit'));
    ({ cursor } = page);
  }
  return entries;
}

/** Revokes the key elsewhere, and has the watches of keys look at once. */
export async function revoke({ parts, timers, caller }: House): Promise<void> {
  await revokeKey(accountsDeps(parts), caller.keyId);
  timers.end(limits.keyCheckMilliseconds);
}

export async function freeze({ parts, timers, caller }: House): Promise<void> {
  await freezeAccount(accountsDeps(parts), caller.accountId);
  timers.end(limits.keyCheckMilliseconds);
}

/** Sends a request whose client can leave. */
export function sending<T>(send: (signal: AbortSignal) => Promise<T>) {
  const client = new AbortController();
  const answer = send(client.signal);
  answer.catch(() => {});
  return { answer, leave: () => client.abort() };
}

import { setTimeout as wait } from 'node:timers/promises';
import { createAccount, createKey, freezeAccount, revokeKey } from '@errand/accounts';
import { addCredits, parseEuro, readCredits, type TimedStoreDeps } from '@errand/money';
import { type KeyLimits, silentLog } from '@errand/platform';
import { Failed, must } from './outcome.ts';
import type { Scene } from './scene.ts';
import { describe, excerpt } from './show.ts';

/** Enough to reserve a hundred answers at once of a model that is not cheap. Credits that are left are taken back. */
const credits = '2';

export interface MadeAccount {
  keys: string[];
  /** Revokes the keys, takes the credits back and freezes the account, whose ledger stays. Resolves with what it did. */
  close(scene: Scene, patienceMilliseconds?: number): Promise<string>;
}

interface AccountOptions {
  /** Where the account is made, for the command that freezes it. Default: the local service. */
  stage?: string;
  tell?(text: string): void;
}

/** Longer than all checks take, so that the key of a killed command stops working soon after. */
const keyHours = 2;

/** Makes an account for the checks, with this many keys. Tells its id as soon as the account is made. */
export async function makeAccount(
  store: TimedStoreDeps,
  count: number,
  { stage, tell }: AccountOptions = {},
): Promise<MadeAccount> {
  const creditsNanoEuro = parseEuro(credits) ?? 0;
  const { accountId } = await createAccount(store, { name: 'smoke', creditsNanoEuro });
  tell?.(`The checks have an account of their own, ${accountId}.`);
  const limits: KeyLimits = {
    expiresAt: new Date(store.clock() + keyHours * 3_600_000).toISOString(),
    budget: { amountNanoEuro: creditsNanoEuro, period: 'total' },
  };
  const made = await Promise.all(
    Array.from({ length: count }, () => createKey(store, { accountId, label: 'smoke', limits })),
  );
  const keyIds = made.map(({ keyId }) => keyId);
  return {
    keys: made.map(({ key }) => key),
    async close(scene, patienceMilliseconds = refusedWithinMilliseconds) {
      await closeAccount(store, accountId, keyIds).catch((error) => {
        const freeze = `npm run -s admin -- account freeze ${accountId}${stage ? ` --stage ${stage}` : ''}`;
        const reason = excerpt(describe(error));
        throw new Failed(`account ${accountId} with ${keyIds.join(', ')} is left (${reason}): ${freeze}`);
      });
      // If the service has never accepted a key, there is nothing to wait for.
      if (scene.contact.keyTaken)
        for (const { key } of made) await whenRefused(scene, key, patienceMilliseconds);
      const words = count === 1 ? '1 key' : `${count} keys`;
      return `${words} revoked, account ${accountId} frozen and without credits`;
    },
  };
}

async function closeAccount(store: TimedStoreDeps, accountId: string, keyIds: string[]): Promise<void> {
  for (const keyId of keyIds) await revokeKey(store, keyId);
  const { balanceNanoEuro } = await readCredits({ ...store, log: silentLog }, accountId);
  if (balanceNanoEuro !== 0) await addCredits(store, { accountId, amountNanoEuro: -balanceNanoEuro });
  await freezeAccount(store, accountId);
}

/** Processes cache keys, and may accept a revoked key for some more seconds. */
const refusedWithinMilliseconds = 15_000;

async function whenRefused(scene: Scene, key: string, patienceMilliseconds: number): Promise<void> {
  const revokedAt = performance.now();
  for (;;) {
    // A signal of its own, so that an interrupted command still waits until its keys are refused.
    const { signal } = new AbortController();
    const answer = await scene.ask('/v1/agents', { key, signal }).catch((error) => {
      throw new Failed(`its keys are revoked, and the service does not say so: ${excerpt(describe(error))}`);
    });
    await answer.text();
    if (answer.status === 401) return;
    const passed = performance.now() - revokedAt;
    const waiting = answer.status === 200 && passed < patienceMilliseconds;
    must(waiting, `a key that is revoked for ${Math.floor(passed / 1000)} s is answered ${answer.status}`);
    await wait(250);
  }
}

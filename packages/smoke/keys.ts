import { setTimeout as wait } from 'node:timers/promises';
import {
  addCredits,
  createAccount,
  createKey,
  freezeAccount,
  parseEuro,
  readCredits,
  revokeKey,
  type TimedStoreDeps,
} from '@errand/accounts';
import { silentLog } from '@errand/platform';
import { must } from './check.ts';
import type { Scene } from './scene.ts';

/** What is set aside for a hundred answers at once, of a model that is not cheap. What is left is taken back. */
const credits = '2';

export interface MadeAccount {
  keys: string[];
  /** Revokes the keys, takes the credits back and freezes the account, whose ledger stays. Resolves with what it did. */
  close(scene: Scene): Promise<string>;
}

/** An account of its own for the checks, with so many keys. */
export async function makeAccount(store: TimedStoreDeps, count: number): Promise<MadeAccount> {
  const { accountId } = await createAccount(store, {
    name: 'smoke',
    creditsNanoEuro: parseEuro(credits) ?? 0,
  });
  const made = await Promise.all(
    Array.from({ length: count }, () => createKey(store, { accountId, label: 'smoke' })),
  );
  return {
    keys: made.map(({ key }) => key),
    async close(scene) {
      for (const { keyId } of made) await revokeKey(store, keyId);
      const { balanceNanoEuro } = await readCredits({ ...store, log: silentLog }, accountId);
      if (balanceNanoEuro !== 0) await addCredits(store, { accountId, amountNanoEuro: -balanceNanoEuro });
      await freezeAccount(store, accountId);
      for (const { key } of made) await whenRefused(scene, key);
      return `${count} keys are revoked, account ${accountId} is frozen and has no credits`;
    },
  };
}

/** Processes that know a key may take it for some seconds more. */
const refusedWithinSeconds = 15;

async function whenRefused(scene: Scene, key: string): Promise<void> {
  const giveUpAt = performance.now() + refusedWithinSeconds * 1000;
  for (;;) {
    const { signal } = new AbortController();
    const answer = await scene.ask('/v1/agents', { key, signal });
    await answer.text();
    if (answer.status === 401) return;
    must(
      performance.now() < giveUpAt,
      `a revoked key is answered ${answer.status} after ${refusedWithinSeconds} s`,
    );
    await wait(250);
  }
}

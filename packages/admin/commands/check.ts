import { listKeys } from '@errand/accounts';
import { checkBalances, checkRollUps } from '@errand/money';
import type { Discrepancy } from '@errand/platform';
import { checkFiles, checkRuns } from '@errand/runs';
import { checkSchedules } from '@errand/schedules';
import { checkWebhooks } from '@errand/webhooks';
import { defineCommand, type Store } from '../command.ts';
import { noAccount, orRefuse } from '../refusal.ts';

/** Further findings probably have the same cause. */
const mostProblems = 1_000;

/**
 * The check only reads, and may run at any time: records that change meanwhile are read again before they are
 * reported.
 */
const check = defineCommand({
  name: 'check',
  options: ['[--account <A>]'],
  async run(store, { account }) {
    const problems: Discrepancy[] = [];
    for await (const problem of findProblems(store, account)) {
      problems.push(problem);
      if (problems.length === mostProblems) break;
    }
    const ok = problems.length === 0;
    return {
      json: { ok, problems },
      lines: ok ? ['The books agree.'] : problems.map(({ of, id, problem }) => `${of} ${id}: ${problem}`),
      failed: !ok,
    };
  },
});

async function* findProblems(store: Store, account: string | undefined): AsyncGenerator<Discrepancy> {
  const deps = { ...store, files: await store.openFiles() };
  if (account === undefined) {
    yield* checkBalances(store);
    yield* checkRollUps(store);
    yield* checkRuns(deps);
    yield* checkFiles(deps);
    yield* checkWebhooks(deps);
    yield* checkSchedules(deps);
    return;
  }
  const keys = await orRefuse(listKeys(store, account), noAccount(account));
  yield* checkBalances(store, account);
  yield* checkRollUps(store, account);
  yield* checkRuns(
    deps,
    keys.map(({ keyId }) => keyId),
  );
  yield* checkSchedules(deps, account);
}

export const checkCommands = [check];

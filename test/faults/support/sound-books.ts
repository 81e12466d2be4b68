import { checkBalances } from '@errand/money';
import type { Discrepancy } from '@errand/platform';
import { checkFiles, checkRuns } from '@errand/runs';
import { accountsDeps, runsDeps } from '@errand/service';
import { expect } from 'vitest';
import { closeParts, type Ground, groundParts } from './ground.ts';

/** Expects that balances, ledgers, runs and files agree, as `admin check` compares them. */
export async function expectSoundBooks(ground: Ground): Promise<void> {
  const parts = groundParts(ground.settings, {});
  const found: Discrepancy[] = [];
  for await (const one of checkBalances(accountsDeps(parts))) found.push(one);
  for await (const one of checkRuns(runsDeps(parts))) found.push(one);
  for await (const one of checkFiles(runsDeps(parts))) found.push(one);
  closeParts(parts);
  expect(found).toEqual([]);
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownCheckout } from './support/process.ts';

const run = (words: readonly string[], env: Record<string, string>): number =>
  spawnSync(process.execPath, words, {
    cwd: ownCheckout,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  }).status ?? 1;

/**
 * What today's code stores is read by the release in a checkout: the same tests, the other way round. Resolves with the exit
 * status.
 */
export function goBack(checkout: string): number {
  const UPGRADE_FIXTURES = mkdtempSync(path.join(tmpdir(), 'errand-back-'));
  try {
    const made = run(['test/upgrade/make-fixture.ts', '--release', 'today'], { UPGRADE_FIXTURES });
    if (made !== 0) return made;
    return run(['node_modules/vitest/vitest.mjs', 'run', 'test/upgrade'], {
      UPGRADE_FIXTURES,
      UPGRADE_CHECKOUT: checkout,
    });
  } finally {
    rmSync(UPGRADE_FIXTURES, { recursive: true, force: true });
  }
}

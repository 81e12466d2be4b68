import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dataFile } from './manifest.ts';

/** A copy of the data folder, for one test file. */
export async function copyDataFolder(release: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-upgrade-'));
  execFileSync('tar', ['-C', dataDir, '-xzf', dataFile(release)]);
  return dataDir;
}

/** The charges in a data folder that are not yet in a ledger. */
export async function keptCharges(dataDir: string): Promise<{ payer: { accountId: string } }[]> {
  const folder = path.join(dataDir, 'charges');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json'));
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))));
}

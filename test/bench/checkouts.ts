import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const here = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The absolute path of another checkout of this project. Throws unless it has node_modules of its own. */
export function otherCheckout(folder: string): string {
  const absolute = path.resolve(folder);
  if (!existsSync(path.join(absolute, 'node_modules')))
    throw new Error(`${absolute} is no checkout with its node_modules`);
  return absolute;
}

/** The checkouts that a benchmark measures by name: the other one first if there is one, then this one. */
export const checkouts = (against: string | undefined): { name: string; root: string }[] => [
  ...(against === undefined ? [] : [{ name: 'before', root: otherCheckout(against) }]),
  { name: 'now', root: here },
];

export interface Checkout {
  root: string;
  remove(): Promise<void>;
}

/** A commit of this project in a folder of its own, ready to be started. */
export async function checkOut(commit: string): Promise<Checkout> {
  const root = await mkdtemp(path.join(tmpdir(), 'errand-baseline-'));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    const archive = path.join(root, 'commit.tar');
    await run('git', ['archive', '--output', archive, commit], { cwd: here });
    await run('tar', ['-xf', archive, '-C', root]);
    await rm(archive);
    await furnish(root);
    await run(process.execPath, ['scripts/bundle-threads.ts'], { cwd: root });
    return { root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Gives it the modules of this checkout if it locks the same ones. Those of the project itself are links to its own folders. */
async function furnish(root: string): Promise<void> {
  const lock = (folder: string) => readFile(path.join(folder, 'package-lock.json'), 'utf8');
  if ((await lock(here)) !== (await lock(root))) {
    await run(process.execPath, ['scripts/ensure-installed.mjs'], { cwd: root });
    return;
  }
  const [from, to] = [here, root].map((folder) => path.join(folder, 'node_modules')) as [string, string];
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name === '@errand')
      await cp(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.')) await symlink(path.join(from, name), path.join(to, name));
  }
}

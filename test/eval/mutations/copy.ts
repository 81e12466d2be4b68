import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fault } from './faults.ts';

/** A copy of the sources that faults are put into. */
export interface Copy {
  root: string;
  /** Puts the fault in, and returns what takes it out. Throws if a text is not there exactly once. */
  put(fault: Fault): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

const copied = ['packages', 'scripts', 'dist', 'package.json', 'tsconfig.json'];

/** Copies the sources of a checkout, with links to the packages that it has installed. */
export async function copySources(root: string): Promise<Copy> {
  const copy = await mkdtemp(path.join(tmpdir(), 'errand-mutations-'));
  for (const name of copied)
    if (existsSync(path.join(root, name)))
      await cp(path.join(root, name), path.join(copy, name), { recursive: true });
  const installed = path.join(root, 'node_modules');
  await mkdir(path.join(copy, 'node_modules'));
  for (const name of await readdir(installed))
    if (name !== '@errand') await symlink(path.join(installed, name), path.join(copy, 'node_modules', name));
  // Links to the copy's own packages, as they are relative.
  await cp(path.join(installed, '@errand'), path.join(copy, 'node_modules/@errand'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return {
    root: copy,
    put: (fault) => put(copy, fault),
    remove: () => rm(copy, { recursive: true }),
  };
}

async function put(root: string, { name, edits }: Fault): Promise<() => Promise<void>> {
  const originals = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const whole = path.join(root, file);
    const text = await readFile(whole, 'utf8');
    if (text.split(find).length !== 2) throw new Error(`${name}: ${file} has not once: ${find}`);
    originals.set(whole, text);
    await writeFile(
      whole,
      text.replace(find, () => replace),
    );
  }
  return async () => {
    for (const [file, text] of originals) await writeFile(file, text);
  };
}

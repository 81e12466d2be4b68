import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const versionOf = (node: string): string =>
  existsSync(node) ? execFileSync(node, ['--version'], { encoding: 'utf8', env: {} }).trim() : '';

/** A Node 20 of this machine: `NODE_20` if it is set, or the system's own. */
export const node20: string | undefined = [
  process.env.NODE_20 ?? '',
  '/usr/bin/node',
  '/usr/local/bin/node',
].find((node) => versionOf(node).startsWith('v20.'));

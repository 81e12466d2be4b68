import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Row } from '@errand/smoke';
import { builds } from '../../support/builds/index.ts';

export const main = path.join(await builds.service(), 'smoke.mjs');

export interface Ended {
  status: number;
  out: string;
  err: string;
}

const { NODE_COMPILE_CACHE } = process.env;

/** Runs `npm run smoke -- LINE` in a process of its own. Its environment is `env`, with the compile cache of Node and nothing else. */
export function command(line: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...line], { env: { NODE_COMPILE_CACHE, ...env } }, (error, out, err) =>
      resolve({ status: error ? Number(error.code) : 0, out, err }),
    );
  });
}

/** What the command has printed on stderr, without the lines that a busy machine adds. */
export const withoutWaiting = ({ err }: Ended): string => err.replaceAll(/^waiting for ".*" \.\.\.\n/gm, '');

/** The rows of the table that people read. */
export function readTable(text: string): Row[] {
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((line) => {
    const [, check = '', result = '', seen = '', milliseconds = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return { check, result: result as Row['result'], seen, milliseconds: Number(milliseconds) };
  });
}

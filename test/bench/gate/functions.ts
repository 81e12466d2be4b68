import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functionShapes } from '../../../infra/functions.ts';
import { startBundle } from '../functions.ts';
import { takenCpu } from '../processes.ts';
import type { Count, Measured, Time } from './figures.ts';
import type { Both, Round } from './noise.ts';

const rounds = 4;

/**
 * For each function that both checkouts have, the bytes that are loaded at init, and the CPU of a fresh process until it asks for
 * work. Every round starts each side twice.
 */
export async function measureFunctions(roots: Both<string>): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-gate-'));
  const names = Object.keys(functionShapes).filter((name) =>
    existsSync(path.join(roots.base, `functions/${name}.ts`)),
  );
  const folderOf = (side: keyof Both<string>, name: string) => path.join(folder, side, name);
  const initBytes = (side: keyof Both<string>, name: string) =>
    bundle(roots[side], name, folderOf(side, name));
  try {
    const counts: Count[] = [];
    for (const what of names)
      counts.push({
        what,
        kind: 'bundle',
        now: await initBytes('now', what),
        base: await initBytes('base', what),
      });
    const times = names.map((what): Time => ({ what, kind: 'init', rounds: [] }));
    for (let i = 0; i < rounds; i++)
      for (const time of times)
        time.rounds.push(await initRound(folderOf('now', time.what), folderOf('base', time.what)));
    return { times, counts };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bundles by the checkout's own program, from its own sources. */
async function bundle(root: string, name: string, outFolder: string): Promise<number> {
  const program = path.join(root, 'test/support/lambda/bundles.ts');
  const { measureBundle } = (await import(program)) as typeof import('../../support/lambda/bundles.ts');
  return (await measureBundle(name, outFolder)).initBytes;
}

async function initRound(now: string, base: string): Promise<Round> {
  const taken: number[] = [];
  for (const folder of [now, base, base, now]) taken.push(await initCpu(folder));
  const [first, baseFirst, baseSecond, second] = taken as [number, number, number, number];
  return { now: [first, second], base: [baseFirst, baseSecond] };
}

async function initCpu(folder: string): Promise<number> {
  const started = await startBundle(folder);
  const cpu = takenCpu([started.pid]);
  await started.stop();
  return cpu;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { builds } from '../../support/builds/index.ts';
import type { GroundSettings, Queues } from './ground.ts';
import type { Doom, Outcome, Told } from './workers.ts';

/** Starts a worker in a process of its own, which ends with this process. */
export async function spawnWorker(
  settings: GroundSettings,
  queues: Queues,
  doom?: Doom,
): Promise<ChildProcess> {
  const program = path.join(await builds.service(), 'worker.mjs');
  return spawn(process.execPath, [program, JSON.stringify({ settings, queues, doom })], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Resolves with the outcome when the process has handled a message. */
export async function handledBy(child: ChildProcess): Promise<Outcome> {
  for (;;) {
    const [told] = (await once(child, 'message')) as [Told];
    if (told !== 'save value') return told;
  }
}

/** Resolves with how the process ended: its signal, or `status N`. */
export async function ended(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? `status ${child.exitCode}`;
}

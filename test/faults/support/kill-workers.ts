import { expect } from 'vitest';
import {
  type Case,
  expectUndisturbed,
  type Reference,
  type RunOf,
  readLater,
  type Subject,
  startSubject,
  timesAsked,
} from './evidence.ts';
import type { Ground } from './ground.ts';
import { ended, spawnWorker } from './spawn-worker.ts';
import { startTestWorker } from './workers.ts';

interface Killed {
  ground: Ground;
  /** The same run in one worker. */
  reference: Reference;
  runOf: RunOf;
  /** What the run has committed of what it asked the outside server. It is not asked for again. */
  committed(subject: Subject): Promise<string[]>;
  /** What holds of the run once it has ended as the reference has. */
  expectEnd?(subject: Subject): Promise<void>;
}

/** Kills the worker processes of a run in turn, lets another worker finish it, and expects that this costs nothing. */
export async function killWorkers(
  { ground, reference, runOf, committed, expectEnd }: Killed,
  { label, dooms }: Case,
): Promise<void> {
  const subject = await startSubject(ground, label, runOf);
  const { desk, agentId } = subject;
  const kept: { asked: string[]; times: number[] }[] = [];
  for (const doom of dooms) {
    expect(await ended(await spawnWorker(ground.settings, desk.queues, doom))).toBe('SIGKILL');
    const asked = await committed(subject);
    kept.push({ asked, times: timesAsked(subject, asked) });
  }
  if ((await desk.read(agentId)).status === 'queued') await readLater(subject);
  const last = await startTestWorker(ground.settings, desk.queues);
  try {
    await expectUndisturbed(subject, reference);
    for (const { asked, times } of kept) expect(timesAsked(subject, asked)).toEqual(times);
    await expectEnd?.(subject);
  } finally {
    await last.stop();
    desk.close();
  }
}

import { listKeys } from '@errand/accounts';
import { accountsDeps } from '@errand/service';
import { openDesk } from '../../faults/support/desk.ts';
import { everythingRun } from '../../faults/support/everything-run.ts';
import type { Subject } from '../../faults/support/evidence.ts';
import { type Ground, groundParts } from '../../faults/support/ground.ts';
import { startTestWorker } from '../../faults/support/workers.ts';
import { type HeldTime, heldTime } from './held-time.ts';

/** A run that was created and waits for a worker, in a time that the test holds. */
export interface Scene extends Subject {
  time: HeldTime;
  /** The id of the key that created the run. */
  keyId: string;
}

export async function startScene(ground: Ground, label: string): Promise<Scene> {
  const time = heldTime();
  const desk = await openDesk(ground, time.clock);
  const agentId = await desk.start(everythingRun(ground.outside, label));
  const [key] = await listKeys(accountsDeps(desk.parts), desk.accountId);
  return { ground, desk, agentId, label, time, keyId: key?.keyId ?? '' };
}

/** A worker in another process. */
export const startWorker = ({ ground, desk, time }: Scene) => {
  const settings = { ...ground.settings, leaseSeconds: 60 };
  const parts = groundParts(settings, desk.queues, time.clock);
  return startTestWorker(settings, desk.queues, { parts, leaseSeconds: 60 });
};

import { queueHandler } from '@errand/runs';
import { isFinished, type RunStatus } from '@errand/runs/testing';
import { workerDeps } from '@errand/service';
import type { Desk } from './desk.ts';
import { closeParts, type Ground, groundParts } from './ground.ts';
import { hookCalls, type Point } from './points.ts';

/** What befalls a worker at its n-th commit: it dies, it is told that the commit has failed, it stops and hands its run on, or the run is cancelled. */
export interface Life {
  commit: number;
  moment: 'before' | 'after';
  what: 'killed' | 'lost' | 'stopped' | 'cancelled';
}

const mostLives = 30;

/** Works on a run to its end, by one worker after another. Nobody waits for a lease: the clock of the next worker is ahead. */
export async function livesOf(
  ground: Ground,
  desk: Desk,
  agentId: string,
  lives: readonly Life[],
): Promise<void> {
  for (let number = 0; number < mostLives; number++) {
    await workOnce(ground, desk, agentId, { life: lives[number], aheadMilliseconds: 6_000 * number });
    if (isFinished((await desk.record(agentId)).status as RunStatus)) return;
  }
  throw new Error('the run does not end');
}

async function workOnce(
  { settings }: Ground,
  { queues, request }: Desk,
  agentId: string,
  { life, aheadMilliseconds }: { life: Life | undefined; aheadMilliseconds: number },
): Promise<void> {
  const parts = groundParts(settings, queues, () => Date.now() + aheadMilliseconds);
  // The message was never in the queue.
  parts.aws.sqs.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        commandName === 'ChangeMessageVisibilityCommand'
          ? Promise.resolve({ output: { $metadata: {} }, response: {} })
          : next(args),
    { step: 'initialize' },
  );
  let isDead = false;
  let isStopping = false;
  const failAt = (moment: Life['moment']) => async (point: Point) => {
    if (!life || point.kind !== 'commit' || point.ordinal !== life.commit || moment !== life.moment) return;
    if (life.what === 'cancelled')
      return void (await request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' }));
    isStopping = life.what === 'stopped';
    if (isStopping) return;
    isDead = life.what === 'killed';
    throw lost();
  };
  const gate = () => (isDead ? Promise.reject(lost()) : Promise.resolve());
  hookCalls(parts.aws, parts.files, { before: failAt('before'), after: failAt('after'), gate });
  const body = JSON.stringify({ kind: 'run', agentId });
  const record = { messageId: 'played', receiptHandle: 'played', body, attributes: {} };
  const window = { stopping: () => isStopping, abandon: new AbortController().signal };
  await queueHandler(workerDeps(parts))({ Records: [record] }, window);
  closeParts(parts);
}

const lost = () => Object.assign(new Error('no answer'), { name: 'TimeoutError' });

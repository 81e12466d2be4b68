import { describeError } from '@errand/platform';
import type { SenderDeps } from '../deps.ts';
import { type Queued, type QueuedMessage, queueMessage } from '../queue.ts';
import { fanOut } from './fan-out.ts';
import { makeAttempt } from './make-attempt.ts';
import { tellNotice } from './tell-notice.ts';

/** The pauses after looks that found no message. An end of a run that is not written after the last look never will be. */
const looksAgainSeconds = [5, 60, 300] as const;

/** `again`: the message stays in the queue and comes back. */
type Handled = 'done' | 'again';

/** Does the work that a message of the queue asks for. Never throws. */
export async function handleQueued(deps: SenderDeps, body: string): Promise<Handled> {
  let queued: Queued | undefined;
  try {
    queued = JSON.parse(body) as Queued;
    await work(deps, queued);
    return 'done';
  } catch (error) {
    if (!queued) {
      deps.log.error('webhook message unreadable', describeError(error));
      return 'done';
    }
    if (!deps.stopping?.aborted)
      deps.log.error('webhook not sent', { kind: queued.kind, ...describeError(error) });
    return 'again';
  }
}

async function work(deps: SenderDeps, queued: Queued): Promise<void> {
  switch (queued.kind) {
    case 'attempt':
      return makeAttempt(deps, queued);
    case 'notice':
      return tellNotice(deps, queued.notice);
    case 'message':
      if (!(await fanOut(deps, queued.source))) await lookAgain(deps, queued);
  }
}

async function lookAgain(deps: SenderDeps, queued: QueuedMessage): Promise<void> {
  const delaySeconds = looksAgainSeconds[queued.looks];
  if (delaySeconds !== undefined)
    await queueMessage(deps, { ...queued, looks: queued.looks + 1 }, delaySeconds);
}

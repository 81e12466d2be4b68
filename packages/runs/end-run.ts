import { ConditionsFailed } from '@errand/platform';
import { commitProgress } from './commit.ts';
import type { EndingDeps, RunsDeps } from './deps.ts';
import type { RunRecord } from './run.ts';

export type EndRunDeps = EndingDeps & Pick<RunsDeps, 'signals'>;

/** What the `error` event says of a run that its caller cancelled. */
export const cancelledMessage = 'Cancelled';

/** What the `error` event says of a run that is ended from outside. */
export const endMessages = {
  cancelled: cancelledMessage,
  revoked: 'The API key was revoked.',
  frozen: 'The account was frozen.',
  expired: 'The API key expired.',
} as const;
const poisonedMessage = 'The run was stopped because it could not be carried on after several attempts.';

/** Ends a run that nobody holds as `failed`, with its `error` event. False if somebody else changed it first. */
export async function endRun(deps: EndRunDeps, run: RunRecord, message: string): Promise<boolean> {
  try {
    const events = [{ type: 'error' as const, message }];
    await commitProgress(deps, run, { token: undefined }, { events, costs: [] });
    deps.signals.send(run.agentId, 'progress');
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}

/** Ends a run whose workers died too often. False if somebody else changed it first. */
export async function endPoisoned(deps: RunsDeps, run: RunRecord): Promise<boolean> {
  const ended = await endRun(deps, run, poisonedMessage);
  if (ended) deps.log.error('run given up', { agentId: run.agentId, deaths: run.deaths, outcome: 'failed' });
  return ended;
}

import { describeError, limits, newUuid, toIso } from '@errand/platform';
import type { RunsDeps } from './deps.ts';
import type { RunRecord } from './run.ts';
import { addStream, removeStreams } from './stream-store.ts';

/**
 * Counts a new stream among the run's open ones and takes the oldest out where there are too many. Streams of processes
 * that died are the oldest sooner or later. Returns the stream's name, or undefined if it could not be counted: a
 * stream is never refused.
 */
export async function openStream(deps: RunsDeps, run: RunRecord): Promise<string | undefined> {
  // Names sort by the time at which streams were opened.
  const stream = `${toIso(deps.clock())}#${newUuid()}`;
  try {
    const others = (await addStream(deps, run, stream)).filter((other) => other !== stream).sort();
    const surplus = others.slice(0, 1 - limits.streamsPerRun);
    if (surplus.length > 0) {
      await removeStreams(deps, run, surplus);
      // Streams of this process look at once whether they are still open.
      deps.signals.send(run.agentId, 'progress');
    }
    return stream;
  } catch (error) {
    warn(deps, run, error);
    return undefined;
  }
}

/** Gives the stream's place back. If that fails, the stream counts as open until it is the oldest. */
export async function closeStream(deps: RunsDeps, run: RunRecord, stream: string): Promise<void> {
  await removeStreams(deps, run, [stream]).catch((error: unknown) => warn(deps, run, error));
}

const warn = (deps: RunsDeps, { agentId }: RunRecord, error: unknown) =>
  deps.log.warn('streams not counted', { agentId, ...describeError(error) });

import { logFailure, measureImpact, tryUpstreams } from '@errand/models';
import { type Deadline, isDomainError, keepAliveComment, limits, type StreamWriter } from '@errand/platform';
import type { ChatDeps } from '../deps.ts';
import type { Measured } from '../dialect.ts';
import { brokenOff, keyEnded, lateRefusal, toDomainError } from '../failure.ts';
import { hidesReasoning, noteHiddenReasoning, omitsThinking } from '../hidden-reasoning.ts';
import { CallerLeft, type Leaving } from '../leaving.ts';
import { type MeasuredUsage, measureUsage } from '../measure-usage.ts';
import { breakOff, type ChatCall, countAnswer, workOf } from '../paid-call.ts';
import { openUpstream } from './open-upstream.ts';
import type { UpstreamStream } from './relay-response.ts';

/** Writes a completion's stream. Resolves when everything is written and charged. Never throws. */
type WriteCompletion = (writer: StreamWriter) => Promise<void>;

/**
 * Resolves when the 200 may be sent: with the first chunk, or after `limits.streamFirstByteMilliseconds` without one. Throws `DomainError` if the
 * upstreams refuse before that, or the signal's reason when the work is aborted.
 */
export async function startStream(
  deps: ChatDeps,
  call: ChatCall,
  { signal, leaving }: Pick<Deadline, 'signal'> & { leaving: Leaving },
): Promise<WriteCompletion> {
  const { model } = call.request;
  // The carbon intensity is cached for an hour. If it must be fetched, a fetch that starts now ends before the
  // stream does.
  void deps.carbonIntensity();
  const opening = tryUpstreams(
    deps,
    model,
    (upstream, trial) => openUpstream(deps, call, upstream, trial),
    signal,
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    throw toDomainError(error);
  });
  const late = !(await settlesInTime(opening));
  return (writer) => writeCompletion(deps, { call, signal, leaving, opening, late }, writer);
}

/** Whether the promise resolves within `limits.streamFirstByteMilliseconds`. Rejects if the promise does. */
async function settlesInTime(opening: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, limits.streamFirstByteMilliseconds, false);
  });
  try {
    return await Promise.race([opening.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

interface StartedStream {
  call: ChatCall;
  /** Aborted when the work need not go on for a caller who has left, with `unauthorized` when the key ends, and with `stopping` when the process does. */
  signal: AbortSignal;
  leaving: Leaving;
  opening: Promise<UpstreamStream>;
  /** Whether the 200 goes out before the upstream's first chunk. */
  late: boolean;
}

async function writeCompletion(deps: ChatDeps, started: StartedStream, writer: StreamWriter): Promise<void> {
  const { call, signal, leaving } = started;
  const { keepAlive } = call.request.answering;
  if (keepAlive !== undefined) writer.keepAliveBy(keepAlive);
  if (started.late) writer.write(keepAlive ?? keepAliveComment);
  const hasKey = () => !isDomainError(signal.reason, 'unauthorized');
  try {
    const stream = await started.opening;
    call.paid.learn(async () => workOf(call, (await measure(call, stream)).tokens));
    const stopGoingOn = leaving.goOn(() => awaitsUsage(call, stream));
    const whole = await stream.pipe(writer).finally(stopGoingOn);
    if (!whole && !signal.aborted) {
      const { upstream } = stream;
      logFailure(deps, { model: call.request.model, upstream, error: stream.failure() });
    }
    const measured = await chargeStream(deps, started, stream, whole);
    const failure = whole ? undefined : hasKey() ? brokenOff : keyEnded;
    writer.write(await stream.answer.end({ ...measured, relayed: stream.relayed, failure }));
  } catch (error) {
    breakOff(deps, call, signal.aborted ? signal.reason : error);
    if (signal.reason instanceof CallerLeft) return;
    const refusal = hasKey() ? lateRefusal(error) : keyEnded;
    writer.write(await call.request.answering.refusal(call.request, refusal));
  }
}

/** True if the usage that is still to come counts more than what was written. */
const awaitsUsage = ({ request }: ChatCall, { relayed, upstream }: UpstreamStream): boolean =>
  (hidesReasoning(request.model) || omitsThinking(request, upstream.api)) &&
  (relayed.usage === undefined || relayed.usageIsOld);

const measure = (call: ChatCall, { upstream, relayed }: UpstreamStream): Promise<MeasuredUsage> =>
  measureUsage(call.request, {
    upstream,
    reported: relayed.usage,
    outdated: relayed.usageIsOld,
    countOutput: () => countAnswer(call, relayed),
  });

/** Charges the tokens that were delivered. */
async function chargeStream(
  deps: ChatDeps,
  { call, signal, leaving }: StartedStream,
  stream: UpstreamStream,
  whole: boolean,
): Promise<Measured> {
  const { request } = call;
  const { tokens, usage } = await measure(call, stream);
  if (!omitsThinking(request, stream.upstream.api))
    noteHiddenReasoning(deps, { model: request.model, usage: tokens, written: stream.relayed.written });
  const inferenceMilliseconds = stream.inferenceMilliseconds();
  const impact = await measureImpact(deps, request.model, { inferenceMilliseconds, usage: tokens });
  const hurried = isDomainError(signal.reason, 'stopping');
  const isBrokenOff = !whole || leaving.wentOn();
  await call.paid.settle(
    { ...workOf(call, tokens, impact), brokenOff: isBrokenOff || undefined },
    { hurried, finishReasons: [stream.relayed.finished?.finish_reason] },
  );
  return { tokens, usage, impact };
}

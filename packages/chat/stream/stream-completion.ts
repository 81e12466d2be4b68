import type { Credits } from '@errand/accounts';
import { measureImpact, tryUpstreams } from '@errand/models';
import { type Deadline, formatEvent, keepAliveComment, limits, newUuid, toSeconds } from '@errand/platform';
import { chargeCompletion } from '../charge.ts';
import type { ChatDeps } from '../deps.ts';
import type { Envelope } from '../envelope.ts';
import { brokenOff, lateRefusal, toRefusal } from '../failure.ts';
import { measureUsage } from '../measure-usage.ts';
import type { ChatRequest } from '../read-request.ts';
import { withHeartbeat } from './heartbeat.ts';
import { openUpstream } from './open-upstream.ts';
import type { UpstreamStream } from './relay-response.ts';
import type { Sink } from './sink.ts';

/** Writes the rest of the stream; resolves when all is written and charged. Never throws. */
export type RunStream = (sink: Sink) => Promise<void>;

const doneEvent = formatEvent({ data: '[DONE]' });
const errorEvent = (envelope: Envelope): string => formatEvent({ data: JSON.stringify(envelope) });

/**
 * Resolves when the 200 may be sent: with the first chunk, or after 15 s without one. Throws `DomainError` if the
 * upstreams refuse before that, and the signal's reason if the work is ended.
 */
export async function startStream(
  deps: ChatDeps,
  request: ChatRequest,
  credits: Promise<Credits>,
  { signal }: Deadline,
): Promise<RunStream> {
  // Asked for once an hour: by the stream's end it is there.
  void deps.carbonIntensity();
  const opening = tryUpstreams(deps, request.model, (upstream) =>
    openUpstream(deps, request, upstream, signal),
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    throw toRefusal(deps.log, request.modelId, error);
  });
  const late = !(await settlesInTime(opening));
  return (sink) => runStream(deps, { request, credits, signal, opening, late }, withHeartbeat(sink));
}

/** Rejects as the promise does; false when its time is over first. */
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

interface Running {
  request: ChatRequest;
  credits: Promise<Credits>;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  opening: Promise<UpstreamStream>;
  /** The 200 goes out before the upstream said anything. */
  late: boolean;
}

async function runStream(deps: ChatDeps, running: Running, sink: Sink): Promise<void> {
  if (running.late) sink.write(keepAliveComment);
  try {
    const stream = await running.opening;
    const whole = await stream.pipe(sink);
    const last = await settle(deps, running, stream, whole);
    sink.write(
      formatEvent({ data: JSON.stringify(last) }) + (whole ? '' : errorEvent(brokenOff)) + doneEvent,
    );
  } catch (error) {
    if (!running.signal.aborted) sink.write(errorEvent(lateRefusal(error)) + doneEvent);
  } finally {
    sink.end();
  }
}

/** Charges what was delivered, then makes the chunk that tells of it. */
async function settle(
  deps: ChatDeps,
  { request, credits }: Running,
  stream: UpstreamStream,
  whole: boolean,
): Promise<object> {
  const { relayed } = stream;
  const { usage, shown } = await measureUsage(request, {
    given: parse(relayed.usage),
    unfinished: !whole && relayed.usageIsOld,
    written: () => relayed.delivered.text(),
  });
  const inferenceMilliseconds = stream.inferenceMilliseconds();
  const [impact] = await Promise.all([
    measureImpact(deps, request.model, { inferenceMilliseconds, usage }),
    chargeCompletion(deps, request, credits, usage),
  ]);
  const { id, created, system_fingerprint, service_tier } = (parse(relayed.last) ?? {}) as LastChunk;
  const { choices: _choices, usage: _usage, ...heldBack } = (parse(relayed.held) ?? {}) as LastChunk;
  return {
    ...heldBack,
    id: id ?? `chatcmpl-${newUuid()}`,
    object: 'chat.completion.chunk',
    created: created ?? toSeconds(deps.clock()),
    model: request.modelId,
    ...(system_fingerprint !== undefined && { system_fingerprint }),
    ...(service_tier !== undefined && { service_tier }),
    choices: [],
    usage: shown,
    impact,
  };
}

interface LastChunk {
  choices?: unknown;
  usage?: unknown;
  id?: string;
  created?: number;
  system_fingerprint?: unknown;
  service_tier?: unknown;
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return bytes && JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

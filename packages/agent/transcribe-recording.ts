import {
  audioCost,
  type CarbonIntensity,
  impactTotals,
  type Model,
  measureImpact,
  type OpenRecording,
  priceAt,
  type Recording,
  type RetryOptions,
  SlowRecording,
  type Taking,
  type Transcript,
  transcribe,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import type { Price } from '@errand/platform';
import type { CallCost, PaidCall, PaidCalls } from './paid-calls.ts';
import { type ToolAnswer, ToolError } from './tool.ts';
import { withReason } from './with-reason.ts';

export interface SpeechDeps {
  upstream: UpstreamDeps;
  /** Undefined if no speech model is configured. */
  speechModel: Model | undefined;
  calls: PaidCalls;
  carbonIntensity?: CarbonIntensity;
  retries?: Partial<RetryOptions>;
}

/** Where a recording is, and how long it lasts. */
export interface RecordingSource {
  open: OpenRecording;
  /** Reads the length of an opened recording, and returns it as it can still be sent. */
  measure(recording: Recording): Promise<MeasuredRecording>;
}

export interface MeasuredRecording {
  recording: Recording;
  /** The seconds that may be charged at most. */
  mostSeconds: number;
  /** The seconds that its header tells, or its size suggests. Undefined if neither is known. */
  seconds: number | undefined;
}

/** Streams a recording to the speech model. Costs its seconds, rounded up. Throws `ToolError`. */
export async function transcribeRecording(
  deps: SpeechDeps,
  { open, measure }: RecordingSource,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { speechModel: model } = deps;
  if (!model) throw new ToolError('No speech model is configured.');
  let unsent: Recording | undefined = await open();
  try {
    const measured = await measure(unsent);
    unsent = measured.recording;
    const price = priceAt(model, deps.upstream.clock());
    const call = await payForRecording(deps, model, price, measured);
    const openNext: OpenRecording = async () => {
      const next = unsent;
      unsent = undefined;
      return next ?? open();
    };
    return await ask(deps, model, { call, price, open: openNext }, signal);
  } finally {
    unsent?.body.destroy();
  }
}

async function payForRecording(
  { calls }: SpeechDeps,
  model: Model,
  price: Price,
  { mostSeconds, seconds }: MeasuredRecording,
): Promise<PaidCall> {
  const bound = { mostNanoEuro: audioCost(price, mostSeconds), within: async () => undefined };
  const call = await calls.start(bound, 'tool', async (taking) =>
    seconds === undefined ? undefined : toCost(model, price, seconds, taking),
  );
  if (!call) throw new ToolError('The credits that are left do not suffice to transcribe the recording.');
  return call;
}

async function ask(
  deps: SpeechDeps,
  model: Model,
  { call, price, open }: { call: PaidCall; price: Price; open: OpenRecording },
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { taking } = call;
  const startedAt = deps.upstream.clock();
  try {
    const transcript = await transcribe(deps.upstream, model, open, { signal, taking, ...deps.retries });
    const inferenceMilliseconds = deps.upstream.clock() - startedAt;
    const cost = toCost(model, price, transcript.durationSeconds, taking);
    const impact = await impactOf(deps, model, inferenceMilliseconds);
    return { text: formatTranscript(transcript), costs: [call.answered({ ...cost, ...impact })] };
  } catch (error) {
    await call.failed(signal);
    signal.throwIfAborted();
    throw describe(error);
  }
}

function describe(error: unknown): unknown {
  if (error instanceof SlowRecording)
    return new ToolError('The recording came too slowly to be transcribed.');
  if (!(error instanceof UpstreamError)) return error;
  return new ToolError(
    error.kind === 'refused'
      ? withReason('The speech model could not read the recording', error)
      : error.kind === 'unreadable'
        ? 'The speech model gave no transcript with a duration.'
        : 'The speech model could not be reached.',
    { cause: error },
  );
}

const toCost = (model: Model, price: Price, seconds: number, { upstream }: Taking): CallCost => ({
  kind: 'transcription',
  model: model.id,
  seconds: Math.ceil(seconds),
  amountNanoEuro: audioCost(price, seconds),
  price,
  ...(upstream !== undefined && { upstream }),
});

const noTokens = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

/** The token model says nothing of speech: only the power of the servers tells what a transcription takes. */
async function impactOf({ carbonIntensity }: SpeechDeps, model: Model, inferenceMilliseconds: number) {
  if (!carbonIntensity || !model.energy || !('watts' in model.energy)) return {};
  const work = { inferenceMilliseconds, usage: noTokens };
  return impactTotals(await measureImpact({ carbonIntensity }, model, work));
}

/** A line with the duration, one with the language, an empty one, then one for each segment (docs/api.md, Events). */
function formatTranscript({ durationSeconds, language, segments }: Transcript): string {
  const lines = segments.map(
    ({ startSeconds, speaker, text }) => `[${clockTime(startSeconds)}] Speaker ${speaker}: ${text.trim()}`,
  );
  return [`Duration: ${clockTime(durationSeconds)}`, `Detected language: ${language}`, '', ...lines].join(
    '\n',
  );
}

function clockTime(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

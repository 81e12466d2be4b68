import {
  type CarbonIntensity,
  impactTotals,
  type Model,
  measureImpact,
  type OpenRecording,
  priceAt,
  type Recording,
  type RetryOptions,
  SlowRecording,
  type Transcript,
  transcribe,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import { allOrNothing, priceWork, type Taking, type Work } from '@errand/money';
import type { PaidCalls } from './paid-calls.ts';
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

interface MeasuredRecording {
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
    const openNext: OpenRecording = async () => {
      const next = unsent;
      unsent = undefined;
      return next ?? open();
    };
    return await ask(deps, model, { ...measured, open: openNext }, signal);
  } finally {
    unsent?.body.destroy();
  }
}

async function ask(
  deps: SpeechDeps,
  model: Model,
  { mostSeconds, seconds, open }: MeasuredRecording & Pick<RecordingSource, 'open'>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { clock } = deps.upstream;
  const price = priceAt(model, clock());
  const workOf = (length: number, upstream?: string): Work =>
    priceWork({ kind: 'transcription', model: model.id, seconds: Math.ceil(length), price, upstream });
  const bound = allOrNothing(workOf(mostSeconds).amountNanoEuro);
  const known = async ({ upstream }: Taking) =>
    seconds === undefined ? undefined : workOf(seconds, upstream);
  const hearing = deps.calls.make({ bound, known, signal }, async ({ taking }) => {
    const startedAt = clock();
    const transcript = await transcribe(deps.upstream, model, open, { signal, taking, ...deps.retries });
    const impact = await impactOf(deps, model, clock() - startedAt);
    const cost = { ...workOf(transcript.durationSeconds, taking.upstream), ...impact };
    return { text: formatTranscript(transcript), cost };
  });
  const heard = await hearing.catch((error: unknown) => {
    signal.throwIfAborted();
    throw describe(error);
  });
  if (!heard) throw new ToolError('The credits that are left do not suffice to transcribe the recording.');
  return { text: heard.text, costs: [heard.cost] };
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

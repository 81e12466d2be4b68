import {
  audioCost,
  type Model,
  type OpenRecording,
  priceAt,
  type RetryOptions,
  SlowRecording,
  type Transcript,
  transcribe,
  type UpstreamDeps,
  UpstreamError,
} from '@errand/models';
import { type ToolAnswer, ToolError } from './tool.ts';

export interface SpeechDeps {
  upstream: UpstreamDeps;
  /** Undefined if no speech model is configured. */
  speechModel: Model | undefined;
  retries?: Partial<RetryOptions>;
}

/** Streams a recording to the speech model. Costs its seconds, rounded up. Throws `ToolError`. */
export async function transcribeRecording(
  deps: SpeechDeps,
  open: OpenRecording,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { speechModel: model } = deps;
  if (!model) throw new ToolError('No speech model is configured.');
  try {
    const transcript = await transcribe(deps.upstream, model, open, { signal, ...deps.retries });
    const seconds = Math.ceil(transcript.durationSeconds);
    const amountNanoEuro = audioCost(priceAt(model, deps.upstream.clock()), transcript.durationSeconds);
    return {
      text: formatTranscript(transcript),
      costs: [{ kind: 'transcription', model: model.id, seconds, amountNanoEuro }],
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SlowRecording)
      throw new ToolError('The recording came too slowly to be transcribed.');
    if (!(error instanceof UpstreamError)) throw error;
    throw new ToolError(
      error.kind === 'refused'
        ? 'The speech model could not read the recording.'
        : error.kind === 'unreadable'
          ? 'The speech model gave no transcript with a duration.'
          : 'The speech model could not be reached.',
      { cause: error },
    );
  }
}

/** A line with the duration, one with the language, an empty one, then one for each segment (docs/api.md, Events). */
export function formatTranscript({ durationSeconds, language, segments }: Transcript): string {
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

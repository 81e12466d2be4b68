import type { ModelUpstream } from '../catalogue.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { deepgram } from './deepgram.ts';
import { openai } from './openai.ts';
import type { Recording } from './recording.ts';
import type { Transcript } from './transcript.ts';

/** How one kind of speech server is asked. */
export interface SpeechProtocol {
  /** The requests that this model may understand, the best first: one that is refused is followed by the next. */
  requests(upstream: ModelUpstream): ((recording: Recording) => UpstreamRequest)[];
  /** The answer's JSON as a transcript. Throws `UpstreamError` `unreadable` if it has no duration to charge by. */
  read(json: unknown): Transcript;
}

/** By the name that a catalogue gives as `upstream.protocol`. */
export const speechProtocols = { openai, deepgram } satisfies Record<string, SpeechProtocol>;

export type SpeechProtocolName = keyof typeof speechProtocols;

/** What a speech model speaks whose catalogue entry does not say. */
export const defaultSpeechProtocol: SpeechProtocolName = 'openai';

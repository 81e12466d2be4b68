import type { ModelUpstream } from '../catalogue.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { deepgram } from './deepgram.ts';
import { openai } from './openai.ts';
import type { Recording } from './recording.ts';
import type { Transcript } from './transcript.ts';

export interface SpeechProtocol {
  /** The requests that the model may understand, the best first. If the server refuses one, the next is sent. */
  requests(upstream: ModelUpstream): ((recording: Recording) => UpstreamRequest)[];
  /** The request for the list of the server's models. */
  listing(upstream: ModelUpstream): Pick<UpstreamRequest, 'path' | 'headers'>;
  /** Reads the answer. Throws `UpstreamError` `unreadable` if it gives no duration to charge. */
  read(json: unknown): Transcript;
}

/** The protocols, by the name that a catalogue has in `upstream.protocol`. */
export const speechProtocols = { openai, deepgram } satisfies Record<string, SpeechProtocol>;

export type SpeechProtocolName = keyof typeof speechProtocols;

/** The protocol of upstreams whose catalogue entry names none. */
export const defaultSpeechProtocol: SpeechProtocolName = 'openai';

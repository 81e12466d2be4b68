import type { Readable } from 'node:stream';
import type { ModelUpstream } from '../catalogue.ts';
import type { UpstreamRequest } from '../upstream.ts';
import type { Transcript } from './transcript.ts';

/** How a server of speech models is asked, and what it answers. */
export interface SpeechProtocol {
  /** The requests that the model may understand, the best first. If the server refuses one, the next is sent. */
  requests(upstream: ModelUpstream): ((recording: Recording) => UpstreamRequest)[];
  /** The request for the list of the server's models. */
  listing(upstream: ModelUpstream): Pick<UpstreamRequest, 'path' | 'headers'>;
  /** Reads the answer. Throws `UpstreamError` `unreadable` if it gives no duration to charge. */
  read(json: unknown): Transcript;
}

export interface Recording {
  body: Readable;
  filename: string;
  contentType: string;
  /** The size, if it is known. Some servers refuse a form without a length. */
  bytes?: number;
}

/** Opens the recording from its start. Retries, fallbacks and simpler formats each call it again. */
export type OpenRecording = () => Promise<Recording>;

/** The server gave up on a recording because its host sent it too slowly. The server is not at fault. */
export class SlowRecording extends Error {
  override readonly name = 'SlowRecording';
}

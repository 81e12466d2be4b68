import { checkJsonSize } from '@errand/platform';
import type { ModelUpstream } from './catalogue.ts';
import type { UpstreamDeps } from './deps.ts';
import { readBytes } from './read-bytes.ts';
import { requestUpstream, type UpstreamRequest } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';

export interface WholeAnswer {
  bytes: Buffer;
  /** The time from sending the request to the last byte of its answer. */
  inferenceMilliseconds: number;
}

/** Asks for an answer in one piece. Throws `UpstreamError`, or the signal's reason. */
export async function askWhole(
  { clock }: Pick<UpstreamDeps, 'clock'>,
  upstream: ModelUpstream,
  { limitBytes, ...request }: UpstreamRequest & { limitBytes: number },
): Promise<WholeAnswer> {
  const startedAt = clock();
  const response = await requestUpstream(upstream, request);
  const { signal, heard } = request;
  const bytes = await readBytes(response, { limitBytes, signal, heard });
  return { bytes, inferenceMilliseconds: clock() - startedAt };
}

/** The JSON of an answer. Throws `UpstreamError` `unreadable` if it is none, or is nested so deeply that it could not be written again. */
export function parseAnswer(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    checkJsonSize(text, { mostEntries: Number.POSITIVE_INFINITY });
    return JSON.parse(text);
  } catch {
    throw new UpstreamError('unreadable');
  }
}

import path from 'node:path';
import { Readable } from 'node:stream';
import type { Recording } from '@errand/models';
import { limits } from '@errand/platform';
import { recordingFormat, recordingFormats } from '@errand/text';
import { extensionOf, shownName } from '@errand/uploads';
import { type FetchedResponse, guardedFetch, mediaTypeOf, type WebDeps } from '@errand/web';

/** A recording at its host, with the name, type and size that a speech model's server wants to know. */
export async function openHosted(web: WebDeps, url: string, signal: AbortSignal): Promise<Recording> {
  const response = await guardedFetch(web, {
    url,
    signal,
    limits: { maxBytes: limits.recordingBytes, totalMilliseconds: limits.audioToolMilliseconds },
  });
  return { body: Readable.from(response.body), ...describe(response, url) };
}

/**
 * Speech servers recognise a format by the name's extension. An extension is added if the address has none that they
 * know.
 */
function describe({ finalUrl, contentType, headers }: FetchedResponse, url: string): Omit<Recording, 'body'> {
  const names = [url, finalUrl].map(nameOf);
  const named = names.find((name) => recordingFormat(extensionOf(name)));
  const served = mediaTypeOf(contentType);
  const isRecording = /^(audio|video)\//.test(served);
  const ending = isRecording ? endingOf(served) : undefined;
  const filename = named ?? `${names[0] || 'recording'}${ending ?? ''}`;
  const byName = recordingFormat(extensionOf(filename))?.mediaTypes[0];
  const length = headers['content-length'] ?? '';
  const known = headers['content-encoding'] === undefined && /^\d+$/.test(length);
  return {
    filename,
    contentType: (isRecording ? served : byName) ?? 'application/octet-stream',
    ...(known && { bytes: Number(length) }),
  };
}

const endingOf = (type: string): string | undefined =>
  Object.keys(recordingFormats).find((extension) => recordingFormats[extension]?.mediaTypes.includes(type));

function nameOf(url: string): string {
  const name = path.posix.basename(URL.parse(url)?.pathname ?? '');
  try {
    return shownName(decodeURIComponent(name));
  } catch {
    return shownName(name);
  }
}

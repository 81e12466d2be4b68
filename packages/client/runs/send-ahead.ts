import type { Connection } from '../connection/connection.ts';
import { unlessAborted } from '../connection/unless-aborted.ts';
import { sendUpload, type UploadOptions } from '../uploads/send-upload.ts';

interface StartedUpload extends UploadOptions {
  /** The caller's own. Without one nobody can ask for the same start again. */
  idempotencyKey?: string;
}

/** What tells a start from others with the same file. */
const nameOfStart = ({ baseUrl, apiKey }: Connection, idempotencyKey: string): string =>
  JSON.stringify([baseUrl, apiKey, idempotencyKey]);

/**
 * The links by which files went that were too large for a form, by the starts that they were sent for: a start that is asked
 * for again is the same to the service only with the same link.
 */
const sent = new WeakMap<Blob, Map<string, Promise<string>>>();

function linksOf(file: Blob): Map<string, Promise<string>> {
  const links = sent.get(file) ?? new Map<string, Promise<string>>();
  sent.set(file, links);
  return links;
}

/** Sends the file of a start once, and resolves with its `uploadId`. */
export async function sendAhead(
  connection: Connection,
  file: Blob,
  { idempotencyKey, ...options }: StartedUpload,
): Promise<string> {
  if (idempotencyKey === undefined) return (await sendUpload(connection, file, options)).uploadId;
  const [links, name] = [linksOf(file), nameOfStart(connection, idempotencyKey)];
  // A start that gives up ends its own sending alone: the next of those that wait for it sends the file itself.
  for (let sending = links.get(name); sending; sending = links.get(name)) {
    const uploadId = await unlessAborted(
      sending.catch(() => undefined),
      options.signal,
    );
    if (uploadId !== undefined) return uploadId;
  }
  const sending = sendUpload(connection, file, options).then(
    ({ uploadId }) => uploadId,
    (error: unknown) => {
      links.delete(name);
      throw error;
    },
  );
  links.set(name, sending);
  return sending;
}

/** Has the next such start send the file anew. */
export const forgetSent = (connection: Connection, file: Blob, idempotencyKey: string): void =>
  void sent.get(file)?.delete(nameOfStart(connection, idempotencyKey));

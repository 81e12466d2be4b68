import { type Connection, sendJson } from '../connection/connection.ts';
import { readJson } from '../connection/read-json.ts';
import { type Retry, withRetries } from '../connection/retry.ts';
import { nameOf } from './file-name.ts';
import { readTicket } from './read-ticket.ts';
import { type OnProgress, sendBody } from './send-body.ts';

export interface UploadOptions {
  /** The name of a file that has none of its own, or another name for it. */
  filename?: string;
  onProgress?: OnProgress;
  /** Called before each pause after which the service or the storage is asked again. */
  onRetry?(retry: Retry): void;
  signal?: AbortSignal;
}

/** Sends a file to the storage by a link. A run that is started with the `uploadId` within the hour reads it. */
export async function sendUpload(
  connection: Connection,
  file: Blob,
  { filename, onProgress, onRetry, signal }: UploadOptions = {},
): Promise<{ uploadId: string }> {
  const wanted = { filename: nameOf(file, filename), size: file.size };
  const answer = await withRetries(
    connection,
    async () =>
      readJson<Record<string, unknown>>(
        await sendJson(connection, '/v1/uploads', wanted, { signal }),
        signal,
      ),
    { signal, onRetry },
  );
  const { uploadId, url, headers } = readTicket(answer, connection);
  const put = { method: 'PUT', url, headers, body: file, onProgress, signal, withKey: false };
  await withRetries(connection, () => sendBody(connection, put), { signal, onRetry });
  return { uploadId };
}

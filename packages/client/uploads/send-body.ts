import { authorization, type Connection, sendTo, withSignal } from '../connection/connection.ts';
import { countedStream } from './counted-stream.ts';
import { hasXmlHttpRequest, sendByXmlHttpRequest } from './xml-http-request.ts';

export interface Progress {
  sentBytes: number;
  totalBytes: number;
}

export type OnProgress = (progress: Progress) => void;

export interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Blob;
  /** Never to the storage: its links carry what they need. */
  withKey: boolean;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

const isNode = typeof process === 'object' && process.versions?.node !== undefined;

/** Sends a body, and says how far it is where the platform can tell. Throws as every request does. */
export async function sendBody(connection: Connection, sending: Sending): Promise<Response> {
  const { method, url, body, onProgress, signal } = sending;
  const headers = { ...sending.headers, ...(sending.withKey && authorization(connection)) };
  const totalBytes = body.size;
  onProgress?.({ sentBytes: 0, totalBytes });
  if (onProgress && !connection.fetchIsGiven && hasXmlHttpRequest())
    return sendByXmlHttpRequest({ ...sending, headers, onProgress }, connection.baseUrl);
  // Browsers send streams over HTTP/2 alone.
  const counted = onProgress && isNode;
  const init = counted
    ? {
        body: countedStream(body, (sentBytes) => onProgress({ sentBytes, totalBytes })),
        duplex: 'half',
        headers: { ...headers, 'Content-Length': String(totalBytes) },
      }
    : { body, headers };
  const response = await sendTo(connection, url, { method, ...init, ...withSignal(signal) } as RequestInit);
  if (!counted) onProgress?.({ sentBytes: totalBytes, totalBytes });
  return response;
}

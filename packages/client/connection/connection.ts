import { ConnectionError } from '../errors.ts';
import { requireAnswer } from './require-answer.ts';
import type { Wait } from './wait.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What every call needs: where the service is, with which key, and by what it is reached. */
export interface Connection {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  /** Whether the caller has given a `fetch`, which then sends everything. */
  fetchIsGiven: boolean;
  /** Where links for files may lead, whatever network it is in. */
  storageOrigins: readonly string[];
  wait: Wait;
}

/** The reason of an abort goes to the caller as it is; all else that fetch throws means that there was no answer. */
export function connectionError(
  error: unknown,
  signal: AbortSignal | null | undefined,
  message: string,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return new ConnectionError(message, error);
}

/** Only where it is: the rest of a link may be a secret. */
export const unreachable = (url: string): string =>
  `The service at ${new URL(url).origin} could not be reached.`;

/** A request to any address, without the key. Throws for a redirect or a status from 400, and if there is no answer. */
export async function sendTo(connection: Connection, url: string, init: RequestInit): Promise<Response> {
  const response = await connection.fetch(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
    throw connectionError(error, init.signal, unreachable(url));
  });
  await requireAnswer(response, { url, baseUrl: connection.baseUrl });
  return response;
}

export const authorization = ({ apiKey }: Connection) => ({ Authorization: `Bearer ${apiKey}` });

/** A request to a path of the service, with the key. */
export const send = (
  connection: Connection,
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> =>
  sendTo(connection, `${connection.baseUrl}${path}`, {
    ...init,
    headers: { ...headers, ...authorization(connection) },
  });

/** Absent rather than undefined, as the types of fetch want it. */
export const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

export const sendJson = (
  connection: Connection,
  path: string,
  body: unknown,
  { signal, headers }: { signal?: AbortSignal | undefined; headers?: Record<string, string> } = {},
): Promise<Response> =>
  send(connection, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
    ...withSignal(signal),
  });

import { authorization, type Connection, sendTo, unreachable, withSignal } from '../connection/connection.ts';
import { redirectError, requireAnswer } from '../connection/require-answer.ts';
import { ConnectionError } from '../errors.ts';

export interface Progress {
  sentBytes: number;
  totalBytes: number;
}

export type OnProgress = (progress: Progress) => void;

interface Sending {
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

const pieceBytes = 65_536;

/** The bytes of a file, piece by piece as the connection takes them. */
function countedStream(file: Blob, onSent: (sentBytes: number) => void): ReadableStream<Uint8Array> {
  let sentBytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = await file.slice(sentBytes, sentBytes + pieceBytes).arrayBuffer();
      if (piece.byteLength === 0) return controller.close();
      sentBytes += piece.byteLength;
      controller.enqueue(new Uint8Array(piece));
      onSent(sentBytes);
    },
  });
}

interface Target<Names extends string> {
  addEventListener(name: Names, listener: (event: { loaded: number; total: number }) => void): void;
}

/** What is used of it. Node's types have none. */
interface XmlHttpRequest extends Target<'load' | 'error' | 'abort'> {
  upload: Target<'progress'>;
  status: number;
  responseURL: string;
  responseText: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

const constructorOf = (): (new () => XmlHttpRequest) | undefined =>
  (globalThis as { XMLHttpRequest?: new () => XmlHttpRequest }).XMLHttpRequest;

const hasXmlHttpRequest = (): boolean => constructorOf() !== undefined;

function headersOf(text: string): Headers {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
}

const responseOf = ({ status, responseText }: XmlHttpRequest, headers: Headers): Response =>
  new Response(status === 204 ? null : responseText, { status, headers });

/**
 * In browsers nothing else tells how much of a body is sent. They set the length of the body themselves, and warn of others
 * who do. They follow redirects, to other origins only if these allow it: such an answer is refused.
 */
async function sendByXmlHttpRequest(
  { method, url, headers, body, onProgress, signal }: Sending & { onProgress: OnProgress },
  baseUrl: string,
): Promise<Response> {
  signal?.throwIfAborted();
  const Request = constructorOf() as new () => XmlHttpRequest;
  const request = new Request();
  const abort = () => request.abort();
  const response = await new Promise<Response>((resolve, reject) => {
    request.open(method, url);
    for (const [name, value] of Object.entries(headers))
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress({ sentBytes: loaded, totalBytes: total }),
    );
    request.addEventListener('load', () =>
      resolve(responseOf(request, headersOf(request.getAllResponseHeaders()))),
    );
    request.addEventListener('abort', () => reject(signal?.reason));
    request.addEventListener('error', () => reject(new ConnectionError(unreachable(url))));
    signal?.addEventListener('abort', abort, { once: true });
    request.send(body);
  }).finally(() => signal?.removeEventListener('abort', abort));
  if (request.responseURL !== new URL(url).href) {
    const to = new Headers({ Location: request.responseURL });
    throw redirectError({ status: response.status, headers: to }, { url, baseUrl });
  }
  await requireAnswer(response, { url, baseUrl });
  return response;
}

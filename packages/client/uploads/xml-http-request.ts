import { redirectError, requireAnswer } from '../connection/require-answer.ts';
import { ConnectionError } from '../errors.ts';
import type { OnProgress, Sending } from './send-body.ts';

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

export const hasXmlHttpRequest = (): boolean => constructorOf() !== undefined;

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
export async function sendByXmlHttpRequest(
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
    request.addEventListener('error', () => reject(new ConnectionError('The service could not be reached.')));
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

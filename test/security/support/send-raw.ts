import { type Agent, request } from 'node:http';
import type { FuzzRequest } from './fuzz-requests.ts';

export interface RawAnswer {
  /** 0 if the connection ended without an answer. */
  status: number;
  /** The first 2,000 bytes. */
  body: string;
}

const seenBytes = 2_000;

/**
 * Sends the request as it stands: the path is not normalised. An answer that takes longer than `milliseconds` is left;
 * a stream may last as long as it likes.
 */
export function sendRaw(
  baseUrl: string,
  { method, path, headers, body, leaves }: FuzzRequest,
  { agent, milliseconds }: { agent: Agent; milliseconds: number },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let answer: RawAnswer = { status: 0, body: '' };
    const length = body && !('transfer-encoding' in headers) ? { 'content-length': body.byteLength } : {};
    const outgoing = request({ hostname, port, method, path, agent, headers: { ...headers, ...length } });
    const timer = setTimeout(() => outgoing.destroy(), milliseconds);
    const done = () => {
      clearTimeout(timer);
      resolve(answer);
    };
    outgoing.on('error', done).on('close', done);
    outgoing.on('response', (response) => {
      answer = { status: response.statusCode ?? 0, body: '' };
      if (leaves === 'in-answer') outgoing.destroy();
      response.on('error', done).on('data', (bytes: Buffer) => {
        if (answer.body.length < seenBytes) answer.body += bytes.toString().slice(0, seenBytes);
      });
    });
    if (body && leaves === 'in-body') {
      outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
      return;
    }
    outgoing.end(body);
  });
}

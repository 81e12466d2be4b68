import type { IncomingMessage, ServerResponse } from 'node:http';

const maxBodyBytes = 64 * 1024 * 1024;

/** A refusal with the fields of OpenAI's error envelope. */
export class WireError extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, param: string | null = null, code: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  sendJsonText(response, status, JSON.stringify(body));

export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = error instanceof WireError ? error : new WireError(500, 'The stand-in failed');
  const type = refusal.status < 500 ? 'invalid_request_error' : 'server_error';
  const { message, param, code, status } = refusal;
  sendJson(response, status, { error: { message, type, param, code } });
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new WireError(413, `The body is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

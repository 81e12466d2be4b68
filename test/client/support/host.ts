import { type LocalServer, type Received, serveAndRecord } from '../../support/local-server.ts';

interface Answered {
  status?: number;
  headers?: Record<string, string>;
  /** A text as it is, anything else as JSON. */
  body?: unknown;
}

export interface Host extends Pick<LocalServer, 'close'> {
  origin: string;
  asked: Received[];
  /** Sets the answers of the next requests, one each. The last one is the answer to all that follow. */
  answer(...answers: Answered[]): void;
}

/** A host that takes requests of any kind. */
export async function startHost(): Promise<Host> {
  let answers: Answered[] = [];
  const { url, received, close } = await serveAndRecord((_, response) => {
    const { status = 200, headers = {}, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'Content-Type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  return {
    origin: url,
    asked: received,
    answer(...given) {
      answers = given;
      received.length = 0;
    },
    close,
  };
}

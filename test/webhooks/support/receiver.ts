import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { eventually } from '../../support/eventually.ts';
import { type Received, type RecordingServer, serveAndRecord } from '../../support/local-server.ts';

export interface Receiver extends Pick<RecordingServer, 'url' | 'host' | 'received' | 'close'> {
  /** How it answers from now on; with a 200 at first. */
  answer(how: Answering): void;
  /** Resolves when it has received so many in all. */
  has(count: number): Promise<Received[]>;
}

/** A status, or what a test does with the answer itself. */
type Answering = number | ((response: ServerResponse, received: Received) => void);

/** A receiver of webhooks that answers as a test says. */
export async function startReceiver({ secure = false } = {}): Promise<Receiver> {
  let answering: Answering = 200;
  const server = await serveAndRecord(
    (request, response) => {
      if (typeof answering === 'number') response.writeHead(answering).end(`answered ${answering}`);
      else answering(response, request);
    },
    { tls: secure ? certificate() : undefined },
  );
  return {
    ...server,
    answer(how) {
      answering = how;
    },
    async has(count) {
      await eventually(() => server.received.length).toBeGreaterThanOrEqual(count);
      return server.received;
    },
  };
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../support/tls/secure.test.${name}.pem`, import.meta.url));

/** For the name `secure.test`. */
const certificate = () => ({ key: fixture('key'), cert: fixture('cert') });

export const wordOf = ({ body }: Received) =>
  JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> };

import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '@errand/platform';
import { findDynamoBinary } from './dynamo-binary.ts';
import { findFreePort } from './find-free-port.ts';
import { type BoundProcess, startBoundProcess } from './start-bound-process.ts';

interface DynamoOptions {
  /** The SQLite file that holds the tables. It is made, with its folder, if it is missing. */
  file: string;
  host: string;
  /** Called when the server ends without having been closed. */
  onExit?: (reason: string) => void;
  /** Name of the platform whose binary is used; this machine's by default. */
  platform?: string;
  /** Replaced in tests. */
  findPort?: (host: string) => Promise<number>;
}

export interface Dynamo {
  endpoint: string;
  close(): Promise<void>;
}

const startAttempts = 3;
const startLimitMilliseconds = 15_000;

/** Starts the embedded DynamoDB and waits until it answers. It ends with this process, even if that is killed. */
export async function startDynamo(options: DynamoOptions): Promise<Dynamo> {
  const binary = findDynamoBinary(options.platform);
  await mkdir(dirname(options.file), { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binary, options);
    } catch (error) {
      // Another process may take the free port before the server does.
      const isPortTaken = error instanceof Error && /already in use/i.test(error.message);
      if (!isPortTaken || attempt === startAttempts) throw error;
    }
  }
}

async function startOnce(binary: string, options: DynamoOptions): Promise<Dynamo> {
  const { file, host, onExit, findPort = findFreePort } = options;
  const port = await findPort(host);
  const server = startBoundProcess(binary, ['--host', host, '--port', String(port), '--db-path', file]);
  const endpoint = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    await waitUntilAnswering(endpoint, server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  let isClosing = false;
  server.ended.then((reason) => {
    if (!isClosing) onExit?.(`The embedded DynamoDB ended: ${reason.replaceAll('\n', ' ')}.`);
  });
  return {
    endpoint,
    async close() {
      isClosing = true;
      await server.stop();
    },
  };
}

async function waitUntilAnswering(endpoint: string, server: BoundProcess): Promise<void> {
  const timeout = AbortSignal.timeout(startLimitMilliseconds);
  const failed = server.ended.then((reason): never => {
    throw new Error(`the embedded DynamoDB did not start: ${reason}`);
  });
  const answering = async () => {
    for (;;) {
      try {
        await (await fetch(endpoint, { signal: timeout })).body?.cancel();
        return;
      } catch {
        timeout.throwIfAborted();
        if (server.hasEnded()) return;
        await delay(5, timeout);
      }
    }
  };
  await Promise.race([failed, answering()]);
  if (server.hasEnded()) await failed;
}

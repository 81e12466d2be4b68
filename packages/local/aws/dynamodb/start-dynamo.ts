import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '@errand/platform';
import { findDynamoBinary } from './dynamo-binary.ts';
import { findFreePort } from './find-free-port.ts';
import { type BoundProcess, startBoundProcess } from './start-bound-process.ts';

export interface DynamoOptions {
  /** The SQLite file that holds the tables; made, with its folder, if it is not there. */
  file: string;
  host: string;
  /** Called when the server ends without having been closed. */
  onExit?: (reason: string) => void;
  /** Another binary, for another platform's name. */
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

/** Starts the embedded DynamoDB and resolves when it answers. It ends with this process, however that ends. */
export async function startDynamo(options: DynamoOptions): Promise<Dynamo> {
  const binary = findDynamoBinary(options.platform);
  await mkdir(dirname(options.file), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binary, options);
    } catch (error) {
      // Between our look for a free port and the server's use of it, somebody else may have taken it.
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
    if (!isClosing) onExit?.(`the embedded DynamoDB ended: ${reason}`);
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
  const patience = AbortSignal.timeout(startLimitMilliseconds);
  const failed = server.ended.then((reason): never => {
    throw new Error(`the embedded DynamoDB did not start: ${reason}`);
  });
  const answering = async () => {
    for (;;) {
      try {
        await (await fetch(endpoint, { signal: patience })).body?.cancel();
        return;
      } catch {
        patience.throwIfAborted();
        if (server.hasEnded()) return;
        await delay(5, patience);
      }
    }
  };
  await Promise.race([failed, answering()]);
  if (server.hasEnded()) await failed;
}

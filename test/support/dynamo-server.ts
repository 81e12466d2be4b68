import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { localCredentials, localRegion } from '@errand/platform';
import { freePort } from './local-server.ts';

export interface DynamoServer {
  endpoint: string;
  pid: number;
  close(): Promise<void>;
}

/**
 * A DynamoDB in memory, without tables. It does not report its port, so it is given a free one. Another process may take
 * that port first: then again.
 */
export async function startDynamoServer(): Promise<DynamoServer> {
  const require = createRequire(import.meta.url);
  const binary = require.resolve('@dynoxide/linux-x64/dynoxide');
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = await freePort();
    const child = spawn(binary, ['--port', String(port)], { stdio: 'ignore' });
    const kill = () => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    if (await answers(child, port))
      return { endpoint: `http://127.0.0.1:${port}`, pid: child.pid as number, close: () => end(child) };
    child.kill('SIGKILL');
  }
  throw new Error('the embedded DynamoDB did not start');
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: localRegion,
    credentials: localCredentials,
    maxAttempts: 1,
  });
  for (let i = 0; i < 500 && child.exitCode === null; i++) {
    try {
      await client.send(new ListTablesCommand({}));
      return child.exitCode === null;
    } catch {
      await sleep(10);
    }
  }
  return false;
}

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { startNode } from '../processes.ts';
import { overHttp } from './http-load.ts';
import { startNginx } from './nginx.ts';
import type { Options } from './options.ts';
import { startPortkey } from './portkey.ts';
import { type Dialect, messages, responses, type Target } from './target.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const programs = 'test/bench/chat/peers';

/** Each starts a process of its own. The result is undefined if this machine does not have the program. */
const starts: Record<string, (upstream: string) => Promise<Target | undefined>> = {
  upstream: async (upstream) => overHttp('upstream', upstream),
  nginx: startNginx,
  lean: (upstream) => startProgram('lean', 'lean-proxy.ts', upstream, { authorization: 'Bearer lean' }),
  errand: (upstream) => startErrand('errand', root, upstream),
  responses: (upstream) => startErrand('responses', root, upstream, { dialect: responses }),
  messages: (upstream) => startErrand('messages', root, upstream, { dialect: messages }),
  'bare hono': (upstream) => startProgram('bare hono', 'bare-hono.ts', upstream),
  portkey: startPortkey,
};

export const nameOfCheckout = (folder: string): string => `errand at ${folder}`;

/** Starts the targets that are asked for. The other checkouts' Errands come right after this one's. */
export async function startServerTargets(
  upstream: string,
  { targets: asked = Object.keys(starts), against }: Pick<Options, 'targets' | 'against'>,
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const name of asked) {
    const target = await starts[name]?.(upstream);
    if (target) targets.push(target);
    else console.log(`${name}: not found, left out`);
    if (name === 'errand')
      for (const folder of against) targets.push(await startErrand(nameOfCheckout(folder), folder, upstream));
  }
  return targets;
}

async function startProgram(
  name: string,
  program: string,
  upstream: string,
  headers: Record<string, string> = {},
): Promise<Target> {
  const { ready, pid, stop } = await startNode(path.join(root, programs, program), [upstream]);
  return overHttp(name, `http://127.0.0.1:${ready}`, { headers, pids: [pid], stop });
}

/** Runs the checkout's own program in its own folder: service and libraries are those of the checkout. */
export async function startErrand(
  name: string,
  folder: string,
  upstream: string,
  { dialect, env }: { dialect?: Dialect; env?: Record<string, string> } = {},
): Promise<Target> {
  const dynamo = await startTestDynamo();
  const program = path.join(folder, programs, 'errand.ts');
  const running = await startNode(program, [upstream, dynamo.endpoint], { cwd: folder, env });
  const [port, key] = running.ready.split(' ');
  return overHttp(name, `http://127.0.0.1:${port}`, {
    headers: { authorization: `Bearer ${key}` },
    pids: [running.pid],
    storePids: [dynamo.pid],
    storeUrl: dynamo.endpoint,
    dialect,
    async stop() {
      running.stop();
      await dynamo.close();
    },
  });
}

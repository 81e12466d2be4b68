import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDynamoServer } from '../../support/dynamo-server.ts';
import { overHttp } from '../chat/http-load.ts';
import type { Target } from '../chat/target.ts';
import { startProcesses } from '../service-processes.ts';
import { decisionModel } from './loads.ts';
import type { Sent } from './store-meter.ts';

export interface Service extends Target {
  /** What it has sent to the embedded AWS so far. */
  sent(): Promise<Sent>;
}

const meter = fileURLToPath(new URL('store-meter.ts', import.meta.url));

/** Prices so low that the first account's credits are enough. */
const catalogueOf = (chat: string, decisions: string) => {
  const price = { inputPerMillionTokens: 0.001, outputPerMillionTokens: 0.001 };
  const writer = (id: string) => ({
    id,
    kind: 'chat',
    upstream: { baseUrl: `${chat}/v1`, model: id },
    price,
    contextTokens: 32_768,
  });
  return {
    models: [
      writer('paced'),
      writer('unpaced'),
      {
        id: decisionModel,
        kind: 'decision',
        engine: 'systemone',
        upstream: { baseUrl: decisions, model: decisionModel },
        price: { inputPerMillionTokens: 0.001 },
      },
    ],
    roles: { reasoning: 'unpaced', decision: decisionModel },
  };
};

/** A checkout's API, and the embedded AWS with its tables in memory, each in processes of their own. */
export async function startService(
  name: string,
  root: string,
  upstreams: { chat: string; decisions: string },
): Promise<Service> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-gate-'));
  const catalogue = path.join(folder, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(catalogueOf(upstreams.chat, upstreams.decisions)));
  const dynamo = await startDynamoServer();
  const { baseUrl, apiKey, apiPid, awsPid, api, endpoints, stop } = await startProcesses({
    root,
    preload: meter,
    env: {
      MODEL_CATALOGUE: catalogue,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      RATE_LIMIT_REQUESTS: '1000000',
    },
  });
  const target = overHttp(name, baseUrl, {
    headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json, text/event-stream' },
    pids: [apiPid],
    storePids: [dynamo.pid, awsPid],
    async stop() {
      await stop();
      await dynamo.close();
      await rm(folder, { recursive: true });
    },
  });
  const hosts = Object.values(endpoints).map((endpoint) => new URL(endpoint).host);
  return { ...target, sent: () => sentTo(api, hosts) };
}

async function sentTo(api: ChildProcess, hosts: readonly string[]): Promise<Sent> {
  api.send('sent');
  const [all] = (await once(api, 'message')) as [Record<string, Sent>];
  const sum = { requests: 0, answered: 0, bytes: 0 };
  for (const host of hosts)
    for (const field of Object.keys(sum) as (keyof Sent)[]) sum[field] += all[host]?.[field] ?? 0;
  return sum;
}

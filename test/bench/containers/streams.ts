import { fileURLToPath } from 'node:url';
import { startCloud } from '../../support/lambda/cloud.ts';
import { simpleCatalogue } from '../../support/service.ts';
import { overHttp } from '../chat/http-load.ts';
import type { Load, LoadResult } from '../chat/target.ts';
import { percentiles } from '../figures.ts';
import { measureCpu, startNode } from '../processes.ts';
import { createKeys } from './accounts.ts';
import { type ContainerProcess, startContainer, untilHealthy, watchMemory } from './start-container.ts';

/** A completion of docs/cost.md. */
const chunks = 200;
export const streamSeconds = 10;
/** An account's calls share its purse: a stream is dearer where one account has many. */
const accounts = 32;
/** So that compiled code is measured and not its compiler. */
const warmUp: Load = { kind: 'unpaced', chunks, atOnce: 16, total: 20 };

export interface StreamFigures {
  atOnce: number;
  streams: number;
  /** CPU of a stream. */
  cpuMilliseconds: number;
  /** The most memory of the process while it streamed. */
  megabytes: number;
  firstContent: { p50: number; p99: number };
  lag: { p50: number; p99: number };
  errors: number;
  logBytes: number;
}

export interface StreamingContainer {
  container: ContainerProcess;
  measure(atOnce: number, streams: number): Promise<StreamFigures>;
  stop(): Promise<void>;
}

/** Starts the container of chat behind a model that writes a stream's chunks over as long as docs/cost.md assumes. */
export async function startStreaming(gigabytes: number): Promise<StreamingContainer> {
  const provider = await startNode(fileURLToPath(new URL('../chat/upstream.ts', import.meta.url)), [
    '0',
    String((streamSeconds * 1_000) / chunks),
  ]);
  const upstream = { baseUrl: `http://127.0.0.1:${provider.ready}/v1` };
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const cloud = await startCloud(
    simpleCatalogue(upstream.baseUrl, {
      models: ['paced', 'unpaced'].map((model) => ({
        id: model,
        kind: 'chat',
        description: 'Writes a stream.',
        upstream: { ...upstream, model },
        price,
      })),
    }),
  );
  const keys = await createKeys(cloud, accounts);
  const container = await startContainer(cloud, {
    entry: 'functions/chat-container.ts',
    name: 'chat',
    gigabytes,
  });
  await untilHealthy(container);
  const load = createLoad(container, keys);
  await load(warmUp);
  return {
    container,
    measure: (atOnce, streams) => measure(container, load, { atOnce, streams }),
    async stop() {
      container.stop();
      provider.stop();
      await cloud.stop();
    },
  };
}

/** Each account has its part of a load: `total` is that of an account where there are as many streams at once. */
function createLoad({ url, headers }: ContainerProcess, keys: readonly string[]) {
  const targets = keys.map((key) =>
    overHttp('container', url, { headers: { ...headers, authorization: `Bearer ${key}` } }),
  );
  return (load: Load): Promise<LoadResult[]> => {
    const used = Math.min(targets.length, load.atOnce);
    return Promise.all(
      targets.slice(0, used).map((target, i) => {
        const atOnce = Math.floor((load.atOnce + i) / used);
        return target.run({ ...load, atOnce, total: Math.round((load.total * atOnce) / load.atOnce) });
      }),
    );
  };
}

async function measure(
  { pid, logged }: ContainerProcess,
  load: (load: Load) => Promise<LoadResult[]>,
  { atOnce, streams }: { atOnce: number; streams: number },
): Promise<StreamFigures> {
  const cpu = measureCpu([pid]);
  const most = watchMemory(pid);
  const before = logged();
  const results = await load({
    kind: 'paced',
    chunks,
    atOnce,
    total: streams,
    spreadMilliseconds: streamSeconds * 1_000,
  });
  const all = (of: (result: LoadResult) => number[]) => results.flatMap(of);
  const done = all(({ durations }) => durations).length;
  return {
    atOnce,
    streams: done,
    cpuMilliseconds: cpu() / done,
    megabytes: most(),
    firstContent: percentiles(all(({ firstContent }) => firstContent)),
    lag: percentiles(all(({ lags }) => lags)),
    errors: results.reduce((sum, { errors }) => sum + errors, 0),
    logBytes: (logged() - before) / done,
  };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAccount, createKey } from '@errand/accounts';
import { createLog, systemClock } from '@errand/platform';
import { type BundleOptions, root } from '../../../scripts/bundle-function.ts';
import { startTestDynamo, type TestDynamo } from '../../support/dynamodb.ts';
import { request } from '../../support/lambda/http.ts';
import { type LambdaFunction, startFunction } from '../../support/lambda/start-function.ts';
import { environment } from '../functions.ts';
import { createAnswerReader } from './answer-reader.ts';
import { addOutcome, overHttp } from './http-load.ts';
import type { Options } from './options.ts';
import { sharedMicroseconds } from './stamps.ts';
import { completions, type Load, type LoadResult, type Target } from './target.ts';
import { nameOfCheckout } from './targets.ts';

/**
 * Starts chat's bundle and a bare handler's bundle under SST's runtime client, which streams event by event. Each runs in
 * one environment: a process that serves one request at a time.
 */
export async function startLambdaTargets(
  upstream: string,
  { targets: asked, against }: Pick<Options, 'targets' | 'against'>,
): Promise<Target[]> {
  const starts: Record<string, () => Promise<Target>> = {
    upstream: async () => overHttp('upstream', upstream),
    'bare handler': () => startBare(upstream),
    errand: () => startChat('errand', root, upstream),
  };
  const targets: Target[] = [];
  for (const [name, start] of Object.entries(starts))
    if (asked?.includes(name) ?? true) targets.push(await start());
  for (const folder of against) targets.push(await startChat(nameOfCheckout(folder), folder, upstream));
  return targets;
}

async function startBare(upstream: string): Promise<Target> {
  const folder = await bundle(root, 'test/bench/chat/peers/lambda-pipe.ts');
  const started = await startFunction({ folder, environment: { UPSTREAM_URL: upstream } });
  return toTarget('bare handler', started, { folder });
}

/** The checkout's own bundler makes the bundle. */
async function startChat(name: string, checkout: string, upstream: string): Promise<Target> {
  const folder = await bundle(checkout, 'functions/chat.ts');
  await writeFile(path.join(folder, environment.MODEL_CATALOGUE), JSON.stringify(catalogue(upstream)));
  const dynamo = await startTestDynamo();
  const key = await createBenchKey(dynamo);
  const started = await startFunction({
    folder,
    environment: {
      ...environment,
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      RATE_LIMIT_REQUESTS: '1000000000',
    },
  });
  const headers = { 'X-Origin-Secret': environment.ORIGIN_SECRET, Authorization: `Bearer ${key}` };
  return toTarget(name, started, { folder, headers, dynamo });
}

async function bundle(checkout: string, entry: string): Promise<string> {
  const outFolder = await mkdtemp(path.join(tmpdir(), 'errand-bench-'));
  const { bundleFunction } = (await import(path.join(checkout, 'scripts/bundle-function.ts'))) as {
    bundleFunction(options: BundleOptions): Promise<unknown>;
  };
  await bundleFunction({ entry, outFolder });
  return outFolder;
}

const catalogue = (upstream: string) => ({
  models: ['paced', 'unpaced'].map((id) => ({
    id,
    kind: 'chat',
    upstream: { baseUrl: `${upstream}/v1`, model: id },
    price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
  })),
});

async function createBenchKey({ dynamodb, tables }: TestDynamo): Promise<string> {
  const log = createLog((line) => process.stderr.write(`${line}\n`));
  const accounts = { dynamodb, tables, clock: systemClock, log, rateLimitRequests: 1_000_000_000 };
  const creditsNanoEuro = 1_000_000_000_000_000;
  const { accountId } = await createAccount(accounts, { name: 'bench', creditsNanoEuro });
  const { key } = await createKey(accounts, { accountId, label: 'bench' });
  return key;
}

function toTarget(
  name: string,
  started: LambdaFunction,
  { folder, headers = {}, dynamo }: { folder: string; headers?: Record<string, string>; dynamo?: TestDynamo },
): Target {
  return {
    name,
    pids: [started.pid],
    storePids: dynamo ? [dynamo.pid] : [],
    run: (load) => invokeInTurn(started, headers, load),
    async stop() {
      await started.stop();
      await dynamo?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As on Lambda, an environment gets its next request when it asks for one; that ends the invocation before. */
async function invokeInTurn(
  target: LambdaFunction,
  headers: Record<string, string>,
  load: Load,
): Promise<LoadResult> {
  const result: LoadResult = { firstContent: [], lags: [], durations: [], seconds: 0, errors: 0 };
  const body = completions.body(load);
  const startedAt = performance.now();
  for (let i = 0; i < load.total; i++) {
    const reader = createAnswerReader(load, completions.ends);
    const sentAt = sharedMicroseconds();
    const { statusCode, pieces, failure } = await request(target, completions.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    for await (const piece of pieces) reader.push(piece);
    const failed = (await failure) !== undefined;
    addOutcome(result, reader, sentAt, statusCode === 200 && !failed && reader.isWhole());
  }
  result.seconds = (performance.now() - startedAt) / 1000;
  return result;
}

import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { createAnswerReader } from './answer-reader.ts';
import { sharedMicroseconds } from './stamps.ts';
import { completions, type Dialect, type Load, type LoadResult, type Target } from './target.ts';

/** A target that serves HTTP at `url`. Without `more` it has no processes that are measured. */
export const overHttp = (
  name: string,
  url: string,
  {
    headers = {},
    dialect = completions,
    ...more
  }: Partial<Target> & { headers?: Record<string, string>; dialect?: Dialect } = {},
): Target => ({
  name,
  pids: [],
  storePids: [],
  run: (load) => runHttpLoad(url, { headers, dialect: load.dialect ?? dialect }, load),
  stop() {},
  ...more,
});

/** Sends `total` requests with `atOnce` of them in flight. undici's dispatch takes a third of the CPU of `node:http`'s client. */
async function runHttpLoad(
  url: string,
  { headers: targetHeaders, dialect }: { headers: Record<string, string>; dialect: Dialect },
  load: Load,
): Promise<LoadResult> {
  const pool = new Pool(url, { connections: load.atOnce });
  const headers = { 'content-type': 'application/json', ...targetHeaders };
  const request = { path: dialect.path, method: 'POST', headers, body: dialect.body(load) } as const;
  const result: LoadResult = { firstContent: [], lags: [], durations: [], seconds: 0, errors: 0 };
  let started = 0;
  const startedAt = performance.now();
  const work = async () => {
    if (load.spreadMilliseconds !== undefined) await delay(Math.random() * load.spreadMilliseconds);
    while (started++ < load.total) await runOne(pool, request, dialect, load, result);
  };
  await Promise.all(Array.from({ length: load.atOnce }, work));
  result.seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return result;
}

function runOne(
  pool: Pool,
  request: Parameters<Pool['dispatch']>[0],
  { status: expected, ends }: Dialect,
  load: Load,
  result: LoadResult,
): Promise<void> {
  const reader = createAnswerReader(load, ends);
  return new Promise((resolve) => {
    const sentAt = sharedMicroseconds();
    let status = 0;
    const conclude = (ok: boolean) => {
      addOutcome(result, reader, sentAt, ok);
      resolve();
    };
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, statusCode) {
        status = statusCode;
      },
      onResponseData: (_, packet) => reader.push(packet),
      onResponseEnd: () => conclude(status === expected && reader.isWhole()),
      onResponseError: () => conclude(false),
    });
  });
}

/** Adds the figures of an answer that has ended. `sentAt` is a time of `sharedMicroseconds`. */
export function addOutcome(
  result: LoadResult,
  reader: ReturnType<typeof createAnswerReader>,
  sentAt: number,
  ok: boolean,
): void {
  const now = sharedMicroseconds();
  result.firstContent.push(((reader.firstContentAt() ?? now) - sentAt) / 1000);
  result.durations.push((now - sentAt) / 1000);
  for (const lag of reader.lags) result.lags.push(lag);
  if (!ok) result.errors++;
}

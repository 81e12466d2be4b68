import { Pool } from 'undici';
import { chunksPerStream } from './constants.ts';

export interface Target {
  url: string;
  headers?: Record<string, string>;
}

export interface LoadResult {
  /** Milliseconds from sending to the first content, sorted. */
  firstContent: number[];
  seconds: number;
  errors: number;
}

interface Outcome {
  firstContent: number;
  ok: boolean;
}

const firstContentMark = Buffer.from('"content":"');

/** Runs `total` requests with `atOnce` of them in flight. undici's dispatch takes a third of the CPU of `node:http`'s client. */
export async function runLoad(
  target: Target,
  kind: 'paced' | 'unpaced' | 'plain',
  options: { total: number; atOnce: number },
): Promise<LoadResult> {
  const pool = new Pool(target.url, { connections: options.atOnce });
  const headers = { 'content-type': 'application/json', ...target.headers };
  const body = JSON.stringify({
    model: kind === 'paced' ? 'paced' : 'unpaced',
    stream: kind !== 'plain',
    messages: [{ role: 'user', content: 'Write something.' }],
  });
  const outcomes: Outcome[] = [];
  let started = 0;
  const startedAt = performance.now();
  const work = async () => {
    while (started++ < options.total) outcomes.push(await runOne(pool, headers, body, kind !== 'plain'));
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return {
    firstContent: outcomes.map(({ firstContent }) => firstContent).sort((a, b) => a - b),
    seconds,
    errors: outcomes.filter(({ ok }) => !ok).length,
  };
}

function runOne(
  pool: Pool,
  headers: Record<string, string>,
  body: string,
  stream: boolean,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    const packets: Buffer[] = [];
    let firstContent = 0;
    let status = 0;
    pool.dispatch(
      { path: '/v1/chat/completions', method: 'POST', headers, body },
      {
        onRequestStart() {},
        onResponseStart(_, statusCode) {
          status = statusCode;
        },
        onResponseData(_, packet) {
          if (firstContent === 0 && packet.includes(firstContentMark))
            firstContent = performance.now() - sentAt;
          packets.push(packet);
        },
        onResponseEnd() {
          const text = Buffer.concat(packets).toString('utf8');
          const whole = stream
            ? text.trimEnd().endsWith('data: [DONE]') && text.split(' lorem').length === chunksPerStream + 1
            : text.includes('"usage"');
          resolve({ firstContent, ok: status === 200 && whole });
        },
        onResponseError() {
          resolve({ firstContent: performance.now() - sentAt, ok: false });
        },
      },
    );
  });
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

import { Agent, request } from 'node:http';
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

/** Runs `total` requests with `atOnce` of them in flight. */
export async function runLoad(
  target: Target,
  kind: 'paced' | 'unpaced' | 'plain',
  options: { total: number; atOnce: number },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.atOnce });
  const body = JSON.stringify({
    model: kind === 'paced' ? 'paced' : 'unpaced',
    stream: kind !== 'plain',
    messages: [{ role: 'user', content: 'Write something.' }],
  });
  const outcomes: Outcome[] = [];
  let started = 0;
  const startedAt = performance.now();
  const work = async () => {
    while (started++ < options.total) outcomes.push(await runOne(target, agent, body, kind !== 'plain'));
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return {
    firstContent: outcomes.map(({ firstContent }) => firstContent).sort((a, b) => a - b),
    seconds,
    errors: outcomes.filter(({ ok }) => !ok).length,
  };
}

function runOne(target: Target, agent: Agent, body: string, stream: boolean): Promise<Outcome> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    let firstContent = 0;
    const fail = () => resolve({ firstContent: performance.now() - sentAt, ok: false });
    const outgoing = request(`${target.url}/v1/chat/completions`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...target.headers,
      },
    });
    outgoing.on('error', fail);
    outgoing.on('response', (response) => {
      const packets: Buffer[] = [];
      response.on('data', (packet: Buffer) => {
        if (firstContent === 0 && packet.includes(firstContentMark))
          firstContent = performance.now() - sentAt;
        packets.push(packet);
      });
      response.on('error', fail);
      response.on('end', () => {
        const text = Buffer.concat(packets).toString('utf8');
        const whole = stream
          ? text.trimEnd().endsWith('data: [DONE]') && text.split(' lorem').length === chunksPerStream + 1
          : text.includes('"usage"');
        resolve({ firstContent, ok: response.statusCode === 200 && whole });
      });
    });
    outgoing.end(body);
  });
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

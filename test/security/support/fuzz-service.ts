import { Agent } from 'node:http';
import fc from 'fast-check';
import { type FuzzRequest, fuzzRequests, type Material, type OpenApi } from './fuzz-requests.ts';
import { type RawAnswer, sendRaw } from './send-raw.ts';

interface FuzzResult {
  requests: number;
  /** Answers by status; 0 is a connection that ended without one. */
  statuses: Map<number, number>;
  /** Each kind of answer of 500 and above: how often, and the first request that got it. */
  failures: Map<string, { count: number; first: FuzzRequest }>;
}

interface FuzzOptions {
  baseUrl: string;
  openApi: OpenApi;
  /** Called before each thousand requests: they delete much of what there is. */
  newMaterial: () => Promise<Material>;
  requests: number;
  atOnce: number;
  seed: number;
  /** Called after each batch. */
  onProgress?: (sent: number) => void;
}

const batchRequests = 1_000;
/** A stream of a run lasts as long as the run does, so it is left after this time. */
const answerMilliseconds = 20_000;

/** Sends random requests, `atOnce` at a time. The same seed makes the same requests. */
export async function fuzzService(options: FuzzOptions): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.atOnce });
  const result: FuzzResult = { requests: 0, statuses: new Map(), failures: new Map() };
  try {
    for (let batch = 0; result.requests < options.requests; batch++) {
      const arbitrary = fuzzRequests(options.openApi, await options.newMaterial());
      const numRuns = Math.min(batchRequests, options.requests - result.requests);
      const waiting = fc.sample(arbitrary, { numRuns, seed: options.seed + batch });
      const work = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop())
          note(
            result,
            next,
            await sendRaw(options.baseUrl, next, { agent, milliseconds: answerMilliseconds }),
          );
      };
      await Promise.all(Array.from({ length: options.atOnce }, work));
      options.onProgress?.(result.requests);
    }
  } finally {
    agent.destroy();
  }
  return result;
}

function note(result: FuzzResult, request: FuzzRequest, { status, body }: RawAnswer): void {
  result.requests++;
  result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
  if (status < 500) return;
  const route = request.path.split('?')[0]?.split('/').slice(0, 4).join('/');
  const kind = `${status} ${request.method} ${route} ${body.slice(0, 120)}`;
  const failure = result.failures.get(kind) ?? { count: 0, first: request };
  failure.count++;
  result.failures.set(kind, failure);
}

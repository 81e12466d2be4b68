import { setTimeout as sleep } from 'node:timers/promises';
import { authorization, type Service } from './runs.ts';

const pauseMilliseconds = 50;

export interface Probed {
  reads: number[];
  chats: number[];
}

/** Sends other requests, one after 50 ms whether the one before is answered or not, until it is stopped. */
export function probe(service: Service, runs: readonly string[]): { stop(): Promise<Probed> } {
  const probed: Probed = { reads: [], chats: [] };
  const asked: Promise<void>[] = [];
  let stopped = false;
  const sending = (async () => {
    for (let sent = 0; !stopped || sent < 2; sent++) {
      asked.push(
        sent % 2 === 0
          ? timed(probed.reads, () => read(service, runs))
          : timed(probed.chats, () => chat(service)),
      );
      await sleep(pauseMilliseconds);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await sending;
      await Promise.all(asked);
      return probed;
    },
  };
}

async function timed(times: number[], request: () => Promise<Response>): Promise<void> {
  const started = performance.now();
  const status = await request().then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );
  times.push(performance.now() - started);
  if (status !== 200) console.error(`another request after ${times.at(-1)?.toFixed(0)} ms: ${status}`);
}

const read = (service: Service, [agentId]: readonly string[]) =>
  fetch(`${service.baseUrl}/v1/agents/runs/${agentId}`, { headers: authorization(service) });

const chat = (service: Service) =>
  fetch(`${service.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...authorization(service), 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'stand-in', messages: [{ role: 'user', content: 'Hello' }] }),
  });

import { setTimeout as sleep } from 'node:timers/promises';
import { authorization, type Service } from './runs.ts';

const pauseMilliseconds = 50;

export interface Probed {
  reads: number[];
  chats: number[];
  /** How many were not answered with a 200. Their times count too. */
  failed: number;
}

/** Sends other requests, one after 50 ms whether the one before is answered or not, until it is stopped. */
export function probe(service: Service, runs: readonly string[]): { stop(): Promise<Probed> } {
  const probed: Probed = { reads: [], chats: [], failed: 0 };
  const asked: Promise<void>[] = [];
  let stopped = false;
  const requests = [
    () => timed(probed, probed.reads, () => read(service, runs)),
    () => timed(probed, probed.chats, () => chat(service)),
  ];
  const sending = (async () => {
    for (let sent = 0; !stopped || sent < requests.length; sent++) {
      asked.push(requests[sent % requests.length]!());
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

async function timed(probed: Probed, times: number[], request: () => Promise<Response>): Promise<void> {
  const started = performance.now();
  const isAnswered = await request().then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
  times.push(performance.now() - started);
  if (!isAnswered) probed.failed++;
}

const read = (service: Service, [agentId]: readonly string[]) =>
  fetch(`${service.baseUrl}/v1/agents/runs/${agentId}`, { headers: authorization(service) });

const chat = (service: Service) =>
  fetch(`${service.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...authorization(service), 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'stand-in', messages: [{ role: 'user', content: 'Hello' }] }),
  });

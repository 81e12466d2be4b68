import http, { type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@errand/platform';
import { authorization, type Service } from './runs.ts';

/** How many connections are opened at the same time, which is fewer than a listening socket keeps. */
const openedAtOnce = 500;
const seenSeconds = 20;

interface Reader {
  agentId: string;
  incoming: IncomingMessage | undefined;
  /** When each event came, by its id. */
  events: Map<number, number>;
  over: boolean;
}

export interface Readers {
  /** Resolves with when each open reader of the run saw the event; with fewer if some did not in 20 s. */
  seen(agentId: string, id: number): Promise<number[]>;
  /** How many readers ended without an event. */
  cut(): number;
  leave(): void;
}

/** Opens streams, as many a run as it may have. Resolves when each has an answer or was refused. */
export async function openReaders(
  service: Service,
  runs: readonly string[],
  count: number,
): Promise<Readers> {
  const readers: Reader[] = Array.from({ length: count }, (_, i) => ({
    agentId: runs[Math.floor(i / limits.streamsPerRun)] ?? '',
    incoming: undefined,
    events: new Map(),
    over: false,
  }));
  let next = 0;
  const openNext = async () => {
    for (let reader = readers[next++]; reader; reader = readers[next++]) await open(service, reader);
  };
  await Promise.all(Array.from({ length: openedAtOnce }, openNext));
  const ofRun = Map.groupBy(readers, ({ agentId }) => agentId);
  return {
    async seen(agentId, id) {
      const all = ofRun.get(agentId) ?? [];
      for (let waited = 0; waited < seenSeconds * 1000; waited += 5) {
        if (all.every(({ over, events }) => over || events.has(id))) break;
        await sleep(5);
      }
      return all.flatMap(({ events }) => events.get(id) ?? []);
    },
    cut: () => readers.filter(({ over, events }) => over && events.size === 0).length,
    leave() {
      for (const { incoming } of readers) incoming?.destroy();
    },
  };
}

/** Resolves with the first bytes. */
function open(service: Service, reader: Reader): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    reader.over = true;
    resolve();
  };
  http
    .get(
      `${service.baseUrl}/v1/agents/runs/${reader.agentId}/stream`,
      { agent: false, headers: authorization(service) },
      (incoming) => {
        reader.incoming = incoming;
        incoming.on('data', (bytes: Buffer) => {
          const now = performance.now();
          for (const [, id] of String(bytes).matchAll(/^id: (\d+)$/gm)) reader.events.set(Number(id), now);
          resolve();
        });
        incoming.on('error', end);
        incoming.on('close', end);
      },
    )
    .on('error', end);
  return promise;
}

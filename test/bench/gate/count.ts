import { setTimeout as delay } from 'node:timers/promises';
import type { Load } from '../chat/target.ts';
import { median } from '../figures.ts';
import type { Service } from './services.ts';
import type { Sent } from './store-meter.ts';

const counted = 11;
const quietMilliseconds = 25;

/** What a service sends to its store once nothing of earlier requests is under way. */
async function whenQuiet(service: Service): Promise<Sent> {
  for (let before = await service.sent(); ; ) {
    await delay(quietMilliseconds);
    const now = await service.sent();
    if (now.requests === before.requests && now.answered === now.requests) return now;
    before = now;
  }
}

/** The requests and bytes to the store of one request that comes alone. */
export async function countStore(service: Service, load: Load): Promise<Omit<Sent, 'answered'>> {
  const all: Omit<Sent, 'answered'>[] = [];
  let before = await whenQuiet(service);
  for (let i = 0; i < counted; i++) {
    await service.run({ ...load, atOnce: 1, total: 1 });
    const now = await whenQuiet(service);
    all.push({ requests: now.requests - before.requests, bytes: now.bytes - before.bytes });
    before = now;
  }
  if (all.every(({ requests }) => requests === 0)) throw new Error('no request to the store was seen');
  return {
    requests: median(all.map(({ requests }) => requests)),
    bytes: median(all.map(({ bytes }) => bytes)),
  };
}

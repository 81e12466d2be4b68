import { parseArgs } from 'node:util';
import { fuzzService } from '../../security/support/fuzz-service.ts';
import { makeMaterial, readOpenApi } from '../../security/support/make-material.ts';
import { megabytes, milliseconds, printTable } from '../figures.ts';
import type { Watched } from './watch-process.ts';
import { startWatched } from './watched-service.ts';

const batches = 10;

/** Random requests over every route of one service with stand-in models, and what they leave in its process. */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { requests: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
  });
  const requests = Number(values.requests);
  const service = await startWatched();
  try {
    const { baseUrl, keys } = service;
    const openApi = await readOpenApi(baseUrl);
    const rows: string[][] = [];
    const statuses = new Map<number, number>();
    const failures = new Map<string, number>();
    for (let batch = 0; batch < batches; batch++) {
      const seed = Number(values.seed) + batch * 1_000_000;
      const startedAt = performance.now();
      const done = await fuzzService({
        baseUrl,
        openApi,
        newMaterial: () => makeMaterial({ baseUrl, keys }),
        requests: requests / batches,
        atOnce: 16,
        seed,
      });
      const seconds = (performance.now() - startedAt) / 1000;
      for (const [status, count] of done.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
      for (const [kind, { count }] of done.failures) failures.set(kind, (failures.get(kind) ?? 0) + count);
      rows.push([
        String((batch + 1) * (requests / batches)),
        (done.requests / seconds).toFixed(0),
        ...describe(await service.watched()),
      ]);
    }
    printTable(
      ['requests so far', 'a second', 'heap', 'external', 'resident', 'longest delay of the event loop'],
      rows,
    );
    console.log(
      `\nAnswers: ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map((pair) => pair.join(' x '))
        .join(', ')}\n`,
    );
    printTable(
      ['answers of 500 and above', 'count'],
      [...failures].map(([kind, count]) => [JSON.stringify(kind), count]),
    );
    const health = await fetch(`${baseUrl}/healthz`);
    console.log(`\nAfterwards: /healthz ${health.status}`);
  } finally {
    await service.stop();
  }
}

const describe = (watched: Watched): string[] => [
  megabytes(watched.heapMegabytes),
  megabytes(watched.externalMegabytes),
  megabytes(watched.residentMegabytes),
  milliseconds(watched.longestDelayMilliseconds),
];

import { parentPort, workerData } from 'node:worker_threads';
import { openPacked } from './pack/open-packed.ts';
import type { PackedPassages, Passage } from './passage.ts';
import type { Reading } from './reading.ts';
import { rankPassages } from './search/rank-passages.ts';
import { showPassages } from './show/show-passages.ts';

export type PassagesTask = { bytes: PackedPassages } & ({ reading: Reading } | { claims: readonly string[] });

function find(packed: PackedPassages, claims: readonly string[]): (Passage | undefined)[] {
  const material = openPacked(packed);
  return rankPassages(material.from(1), claims).map(([best]) => {
    if (best === undefined) return undefined;
    const { source: _, ...passage } = material.from(best).next().value!;
    return passage;
  });
}

const task = workerData as PassagesTask;
parentPort?.postMessage(
  'reading' in task ? showPassages(task.bytes, task.reading) : find(task.bytes, task.claims),
);

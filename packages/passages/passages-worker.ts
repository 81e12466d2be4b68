import { parentPort, workerData } from 'node:worker_threads';
import { openPacked } from './pack/open-packed.ts';
import type { PackedPassages, Passage } from './passage.ts';
import type { Reading } from './reading.ts';
import { rankPassages } from './search/rank-passages.ts';
import { showPassages } from './show/show-passages.ts';

export type PassagesTask = { bytes: PackedPassages } & (
  | { reading: Reading }
  | { claims: readonly string[] }
  | { mostTexts: number }
);

/** The texts of all passages, each under its headings; undefined of more than `most`. */
function textsOf(packed: PackedPassages, most: number): string[] | undefined {
  const material = openPacked(packed);
  if (material.passages > most) return undefined;
  return [...material.from(1)].map(({ headings, text }) => [...headings, text].join('\n'));
}

function find(packed: PackedPassages, claims: readonly string[]): (Passage | undefined)[] {
  const material = openPacked(packed);
  return rankPassages(material.from(1), claims).map(([best]) => {
    if (best === undefined) return undefined;
    const { source: _, ...passage } = material.from(best).next().value!;
    return passage;
  });
}

function work(task: PassagesTask) {
  if ('reading' in task) return showPassages(task.bytes, task.reading);
  return 'claims' in task ? find(task.bytes, task.claims) : textsOf(task.bytes, task.mostTexts);
}

parentPort?.postMessage(work(workerData as PassagesTask));

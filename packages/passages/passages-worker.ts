import { parentPort, workerData } from 'node:worker_threads';
import { openPacked, type PackedMaterial } from './pack/open-packed.ts';
import type { PackedPassages } from './passage.ts';
import type { Finding, Found, Reading } from './reading.ts';
import { quoteOf } from './search/quote.ts';
import { rankPassages } from './search/rank-passages.ts';
import { showPassages } from './show/show-passages.ts';

export type PassagesTask = { bytes: PackedPassages } & (
  | { reading: Reading }
  | Finding
  | { mostTexts: number }
);

/** The texts of all passages, each under its headings; undefined of more than `most`. */
function textsOf(packed: PackedPassages, most: number): string[] | undefined {
  const material = openPacked(packed);
  if (material.passages > most) return undefined;
  return [...material.from(1)].map(({ headings, text }) => [...headings, text].join('\n'));
}

function find({ bytes, claims, shown }: { bytes: PackedPassages } & Finding): Found {
  const material = openPacked(bytes);
  const nearest = rankPassages(material.from(1), claims).map(([best], i) => {
    if (best === undefined) return undefined;
    const { source: _, number: __, ...passage } = material.from(best).next().value!;
    return { ...passage, quote: quoteOf(passage.text, claims[i]!) };
  });
  return { nearest, shown: shown && nearest.includes(undefined) ? shownText(material, shown) : '' };
}

function shownText(material: PackedMaterial, { numbers, characters }: NonNullable<Finding['shown']>): string {
  const texts: string[] = [];
  let left = characters;
  const passages = numbers?.map((number) => material.from(number).next().value) ?? material.from(1);
  for (const passage of passages) {
    if (left <= 0) break;
    if (passage) texts.push(passage.text.slice(0, left).toWellFormed());
    left -= passage?.text.length ?? 0;
  }
  return texts.join('\n\n');
}

function work(task: PassagesTask) {
  if ('reading' in task) return showPassages(task.bytes, task.reading);
  return 'claims' in task ? find(task) : textsOf(task.bytes, task.mostTexts);
}

parentPort?.postMessage(work(workerData as PassagesTask));

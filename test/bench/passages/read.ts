import { readFileSync, writeFileSync } from 'node:fs';
import { readDocument } from '@errand/documents';
import { readPassages } from '@errand/passages';
import { convertPage } from '@errand/web';
import { longestTurn } from '../../support/longest-turn.ts';
import { needle } from './materials.ts';

/** What reading a material took. */
export interface Measured {
  seconds: number;
  /** How far it raised the process, the file's bytes included. */
  raiseMegabytes: number;
  longestTurnMilliseconds: number;
}

export interface Reader {
  characters: number;
  passages: number;
  packedMegabytes: number;
  read: Measured;
  again: Measured;
}

const [, , file = '', extension = '', kind = ''] = process.argv;
const reading = { wholeCharacters: 40_000, shownCharacters: 40_000, query: 'How many herons were counted?' };

const statusMegabytes = (field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) /
  1024;

/** The peak that Linux keeps for the process, from here on. */
async function measure(run: () => Promise<unknown>): Promise<Measured> {
  writeFileSync('/proc/self/clear_refs', '5');
  const before = statusMegabytes('VmRSS');
  const start = performance.now();
  const longestTurnMilliseconds = await longestTurn(run);
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, raiseMegabytes: statusMegabytes('VmHWM') - before, longestTurnMilliseconds };
}

let packed = new Uint8Array();
let characters = 0;
let passages = 0;
const read = await measure(async () => {
  const bytes = new Uint8Array(readFileSync(file));
  const done =
    kind === 'page'
      ? await convertPage({}, { bytes, contentType: 'text/html', url: 'https://a.test/', reading })
      : await readDocument({}, { bytes, extension, reading });
  ({ packed } = done as { packed: Uint8Array<ArrayBuffer> });
  ({ characters, passages } = done.shown);
  if (!done.shown.text.includes(needle)) throw new Error(`the needle of ${file} was not found`);
});
const again = await measure(() =>
  readPassages({}, packed, { ...reading, query: 'budget of the annual council meeting' }),
);
const reader: Reader = { characters, passages, packedMegabytes: packed.byteLength / 1e6, read, again };
console.log(JSON.stringify(reader));
process.exit();

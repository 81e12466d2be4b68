import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { readDocument } from '@errand/documents';
import { limits } from '@errand/platform';
import { convertPage } from '@errand/web/testing';
import { type Door, doors } from '../../security/doors.ts';
import { hostileHtml } from '../../text/hostile-html.ts';
import { milliseconds, printTable } from '../figures.ts';

const screeningShare = 1 / 32;
const screened = 2;
/** A text that is refused at its whole size may take longer below it. */
const shares = [1, 1 / 4, 1 / 8];
const attempts = 2;

const htmlNames = ['no-break spaces', 'images', 'paragraphs in nested tables'];
const htmlTexts = Object.fromEntries(hostileHtml.filter(([name]) => htmlNames.includes(name)));

const reading = { wholeCharacters: 40_000, shownCharacters: 40_000, query: 'word' };

/** Doors whose texts are read in a thread. The delay is what is left for the main one. */
const threadDoors: readonly Door[] = [
  {
    name: 'a web page (in a thread)',
    limitCharacters: limits.pageBytes / 2,
    texts: htmlTexts,
    read: (html) => {
      const page = { bytes: Buffer.from(html), contentType: 'text/html', url: 'https://a.test/' };
      return convertPage({}, { ...page, reading });
    },
  },
  {
    name: 'a document (in a thread)',
    limitCharacters: limits.documentBytes / 10,
    texts: htmlTexts,
    read: (html) => {
      return readDocument({}, { bytes: Buffer.from(html), extension: '.html', reading });
    },
  },
];

/** Prints the event loop's longest delay at each door, while it reads its worst text up to the size of its limit. */
export default async function run(): Promise<void> {
  printTable(['door', 'characters', 'worst text', "the event loop's longest delay"], []);
  for (const door of [...threadDoors, ...doors]) {
    let longest = 0;
    let text = '';
    for (const [name, make] of await findWorst(door))
      for (const share of shares) {
        const least = await quietest(door, make(door.limitCharacters * share));
        if (least > longest) [longest, text] = [least, name];
      }
    const shown = (text.length > 40 ? `${text.slice(0, 40)}...` : text).replace(/[|`]/g, '.');
    const cells = [door.name, door.limitCharacters.toLocaleString('en'), shown, milliseconds(longest)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

async function findWorst(door: Door): Promise<[string, (characters: number) => string][]> {
  const found: { entry: [string, (characters: number) => string]; longest: number }[] = [];
  for (const entry of Object.entries(door.texts)) {
    const text = entry[1](Math.max(1_000, door.limitCharacters * screeningShare));
    found.push({ entry, longest: await longestDelay(door, text) });
  }
  const sorted = found.toSorted((one, other) => other.longest - one.longest);
  return sorted.slice(0, screened).map(({ entry }) => entry);
}

/** The least of several measurements, since other work of the machine and tidying up of memory add to some. */
async function quietest(door: Door, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++)
    least = Math.min(least, await longestDelay(door, text));
  return least;
}

async function longestDelay({ read }: Door, text: string): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  // The histogram counts from its second tick.
  await delay(10);
  histogram.reset();
  await delay(10);
  try {
    await read(text);
  } catch {
    // A refusal takes its time too.
  }
  await delay(10);
  histogram.disable();
  return histogram.max / 1e6;
}

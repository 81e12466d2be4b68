import type { ReadFormulas } from './maths-tree.ts';
import type { ReadMarkdown } from './syntax.ts';

/**
 * Some texts take the reader minutes, and whoever steers a model can have it write one. Others take a few milliseconds, and
 * seconds on a machine that has other work.
 */
const longestMilliseconds = 5_000;

const longestLoadMilliseconds = 10_000;
const loadAgainMilliseconds = 10_000;

/** Reads texts beside the page, one after another. Undefined for what cannot be read in time. */
function createReader<Text, Read>(start: () => Worker): (text: Text) => Promise<Read | undefined> {
  let reader: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (text: Text): Promise<Read | undefined> => {
    reader ??= await startReader(start);
    reader.postMessage(text);
    const answer = await nextMessage<Read | undefined>(reader, longestMilliseconds);
    if (answer) return answer.data;
    reader.terminate();
    reader = undefined;
    return undefined;
  };
  return (text) => {
    const read = last.then(() => ask(text));
    last = read;
    return read;
  };
}

/** The text as tokens of markdown. */
export const readMarkdown = createReader<string, ReadMarkdown>(
  () => new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' }),
);

/** The formulas by their keys, up to what a page draws. Its program is loaded with the first formula. */
export const readMaths = createReader<readonly string[], ReadFormulas>(
  () => new Worker(new URL('./maths-worker.ts', import.meta.url), { type: 'module' }),
);

/** Texts wait for a program that is out of reach: it says nothing about them. */
async function startReader(start: () => Worker): Promise<Worker> {
  while (true) {
    const worker = start();
    if (await nextMessage(worker, longestLoadMilliseconds)) return worker;
    worker.terminate();
    await new Promise((resolve) => setTimeout(resolve, loadAgainMilliseconds));
  }
}

/** Undefined if the worker fails, or takes longer. */
const nextMessage = <T>(worker: Worker, milliseconds: number): Promise<{ data: T } | undefined> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined);
    const end = (message: { data: T } | undefined) => {
      clearTimeout(timer);
      resolve(message);
    };
    worker.onmessage = ({ data }) => end({ data });
    worker.onerror = () => end(undefined);
  });

import type { Token } from 'marked';

/** Some texts take the reader minutes, and whoever steers a model can have it write one. Others take a few milliseconds. */
const longestMilliseconds = 1_000;

const longestLoadMilliseconds = 10_000;
const loadAgainMilliseconds = 10_000;

let reader: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/** The text as tokens of markdown, read beside the page, one text after another. Undefined if it cannot be read in time. */
export function readMarkdown(text: string): Promise<Token[] | undefined> {
  const read = last.then(() => ask(text));
  last = read;
  return read;
}

async function ask(text: string): Promise<Token[] | undefined> {
  reader ??= await startReader();
  reader.postMessage(text);
  const answer = await nextMessage<Token[] | undefined>(reader, longestMilliseconds);
  if (answer) return answer.data;
  reader.terminate();
  reader = undefined;
  return undefined;
}

/** Texts wait for a program that is out of reach: it says nothing about them. */
async function startReader(): Promise<Worker> {
  while (true) {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' });
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

import type { Token } from 'marked';

/** Some texts take the reader minutes, and whoever steers a model can have it write one. Others take a few milliseconds. */
const longestMilliseconds = 1_000;

interface Reader {
  worker: Worker;
  /** Resolves when its program was loaded, with whether that went well. */
  started: Promise<boolean>;
}

let reader: Reader | undefined;
let last: Promise<unknown> = Promise.resolve();

/** The text as tokens of markdown, read beside the page, one text after another. Undefined if it cannot be read in time. */
export function readMarkdown(text: string): Promise<Token[] | undefined> {
  const read = last.then(() => ask(text));
  last = read;
  return read;
}

async function ask(text: string): Promise<Token[] | undefined> {
  reader ??= startReader();
  const { worker, started } = reader;
  if (!(await started)) return undefined;
  worker.postMessage(text);
  const answer = await nextMessage<Token[] | undefined>(worker, longestMilliseconds);
  if (answer) return answer.data;
  worker.terminate();
  reader = undefined;
  return undefined;
}

function startReader(): Reader {
  const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' });
  return { worker, started: nextMessage(worker).then((message) => message !== undefined) };
}

/** Undefined if the worker fails, or takes longer. */
const nextMessage = <T>(worker: Worker, milliseconds?: number): Promise<{ data: T } | undefined> =>
  new Promise((resolve) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds, undefined);
    const end = (message: { data: T } | undefined) => {
      clearTimeout(timer);
      resolve(message);
    };
    worker.onmessage = ({ data }) => end({ data });
    worker.onerror = () => end(undefined);
  });

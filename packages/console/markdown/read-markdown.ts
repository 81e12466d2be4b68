import type { Token } from 'marked';

/** Some texts take the reader minutes, and whoever steers a model can have it write one. Others take a few milliseconds. */
const longestMilliseconds = 1_000;

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/** The text as tokens of markdown, read beside the page, one text after another. Undefined if it cannot be read in time. */
export function readMarkdown(text: string): Promise<Token[] | undefined> {
  const read = last.then(() => ask(text));
  last = read;
  return read;
}

function ask(text: string): Promise<Token[] | undefined> {
  return new Promise((resolve) => {
    worker ??= new Worker(new URL('./read-worker.ts', import.meta.url), { type: 'module' });
    const asked = worker;
    const end = (tokens: Token[] | undefined) => {
      clearTimeout(timer);
      asked.onmessage = null;
      asked.onerror = null;
      resolve(tokens);
    };
    const giveUp = () => {
      asked.terminate();
      worker = undefined;
      end(undefined);
    };
    const timer = setTimeout(giveUp, longestMilliseconds);
    asked.onmessage = ({ data }: MessageEvent<Token[] | undefined>) => end(data);
    asked.onerror = giveUp;
    asked.postMessage(text);
  });
}

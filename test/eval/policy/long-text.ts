/** What a question asks to be written out that needs no material: a list of many lines. */
interface LongText {
  text: string;
  /** The name of the file that it goes to; the answer if absent. */
  filename?: string;
}

const lines: Record<string, (n: number) => string> = {
  squares: (n) => `${n} squared is ${n * n}`,
  cubes: (n) => `${n} cubed is ${n ** 3}`,
  doubles: (n) => `${n} doubled is ${2 * n}`,
};

export const lastLine = 'End of the list.';

export function writeList(what: string, last: number): string {
  const write = lines[what];
  if (!write) throw new Error(`no list of ${what}`);
  return [...Array.from({ length: last }, (_, index) => write(index + 1)), lastLine].join('\n');
}

/** The question for `writeList`, with a filename for a file. */
export const listQuestion = (what: string, last: number, filename?: string): string =>
  `Write out the ${what} of the whole numbers from 1 to ${last}, one a line, and end with the line "${lastLine}"` +
  (filename === undefined ? '' : ` Save them as the file "${filename}".`);

export function longTextFor(question: string): LongText | undefined {
  const [, what = '', last] =
    /^Write out the (\w+) of the whole numbers from 1 to (\d+)/.exec(question) ?? [];
  if (!Object.hasOwn(lines, what)) return undefined;
  const filename = /as the file "([^"]+)"/.exec(question)?.[1];
  return { text: writeList(what, Number(last)), filename };
}

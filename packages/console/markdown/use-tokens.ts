import { useEffect, useRef, useState } from 'preact/hooks';
import { fitFormulas } from './fit-formulas.ts';
import type { MathsTree, ReadFormulas } from './maths-tree.ts';
import { readMarkdown, readMaths } from './read-markdown.ts';
import type { ReadMarkdown } from './syntax.ts';

/** A text that was read. Without a result if that took too long. */
interface ReadText {
  text: string;
  read: ReadMarkdown | undefined;
}

/** The newest reading of a text, which may grow meanwhile. Undefined before the first. A text that could not be read is not read again when it grows. */
export function useTokens(text: string): ReadText | undefined {
  const [last, setLast] = useState<ReadText>();
  const busy = useRef(false);
  const failed = last !== undefined && !last.read && text.startsWith(last.text);
  useEffect(() => {
    if (busy.current || failed || last?.text === text) return;
    busy.current = true;
    void readMarkdown(text).then((read) => {
      busy.current = false;
      setLast({ text, read });
    });
  }, [text, last, failed]);
  return last;
}

const none: ReadFormulas = new Map();

/** The formulas as far as they were read and are drawn, in the order of the text. */
export function useMaths(keys: readonly string[] = []): readonly (MathsTree | undefined)[] {
  const [read, setRead] = useState(none);
  const busy = useRef(false);
  const { trees, missing } = fitFormulas(keys, read);
  useEffect(() => {
    if (busy.current || missing.length === 0) return;
    busy.current = true;
    void readMaths(missing).then((more) => {
      busy.current = false;
      const unreadable = missing.map((key) => [key, undefined] as const);
      setRead((before) => new Map([...before, ...(more ?? unreadable)]));
    });
  }, [keys, read]);
  return trees;
}

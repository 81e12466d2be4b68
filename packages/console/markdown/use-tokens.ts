import { useEffect, useRef, useState } from 'preact/hooks';
import type { MathsTree } from './maths-tree.ts';
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

const none: ReadonlyMap<string, MathsTree | undefined> = new Map();

/** The formulas that were read so far, by their keys. */
export function useMaths(
  formulas: readonly string[] | undefined,
): ReadonlyMap<string, MathsTree | undefined> {
  const [maths, setMaths] = useState(none);
  const busy = useRef(false);
  useEffect(() => {
    const missing = formulas?.filter((key) => !maths.has(key)) ?? [];
    if (busy.current || missing.length === 0) return;
    busy.current = true;
    void readMaths(missing).then((read) => {
      busy.current = false;
      const unreadable = missing.map((key) => [key, undefined] as const);
      setMaths((before) => new Map([...before, ...(read ?? unreadable)]));
    });
  }, [formulas, maths]);
  return maths;
}

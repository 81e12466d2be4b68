import type { Token } from 'marked';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readMarkdown } from './read-markdown.ts';

/** A text that was read. Without tokens if that took too long. */
interface ReadText {
  text: string;
  tokens: Token[] | undefined;
}

/** The newest reading of a text, which may grow meanwhile. Undefined before the first. A text that could not be read is not read again when it grows. */
export function useTokens(text: string): ReadText | undefined {
  const [read, setRead] = useState<ReadText>();
  const busy = useRef(false);
  const failed = read !== undefined && !read.tokens && text.startsWith(read.text);
  useEffect(() => {
    if (busy.current || failed || read?.text === text) return;
    busy.current = true;
    void readMarkdown(text).then((tokens) => {
      busy.current = false;
      setRead({ text, tokens });
    });
  }, [text, read, failed]);
  return read;
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Citation } from '../markdown/marks.ts';

/** A citation whose passage is open, and the id of what opened it. */
export interface Opened {
  citation: Citation;
  from: string;
}

/** Which passage is open. Escape closes it, and the keyboard is back where it was opened. What opened it closes it, too. */
export function useOpened() {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const last = useRef<Opened | undefined>(undefined);
  // Before the evidence is seen: a key that is pressed at once would else be lost.
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) setOpened(undefined);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [opened]);
  useLayoutEffect(() => {
    if (!opened && last.current) document.getElementById(last.current.from)?.focus();
    last.current = opened;
  }, [opened]);
  const open = (citation: Citation, from: string) =>
    setOpened(opened?.from === from ? undefined : { citation, from });
  return { opened, open, close: () => setOpened(undefined) };
}

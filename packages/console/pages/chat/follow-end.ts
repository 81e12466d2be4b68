import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** So near to the end, a visitor is at the end. */
const nearPixels = 32;

const page = document.documentElement;

/**
 * Keeps the end of the page in view while the parts of `talk` grow, until the visitor scrolls up. A new `turn` is shown
 * wherever the visitor is.
 */
export function useEnd(turn: number | undefined) {
  const talk = useRef<HTMLDivElement>(null);
  const atEnd = useSignal(true);
  const follows = useRef(true);
  const toEnd = () => {
    follows.current = true;
    scrollTo(0, page.scrollHeight);
  };
  useEffect(() => {
    if (turn !== undefined) toEnd();
  }, [turn]);
  useEffect(() => {
    const leaving = new AbortController();
    const parts = [...(talk.current?.children ?? [])];
    let place = 0;
    let need = turn === undefined ? needOf(parts) : Number.NEGATIVE_INFINITY;
    // A page that has grown meanwhile is not at its end either: only a way up is the visitor's.
    const look = () => {
      atEnd.value = page.scrollHeight - page.clientHeight - scrollY < nearPixels;
      if (atEnd.peek() || scrollY < place) follows.current = atEnd.peek();
      place = scrollY;
    };
    const resized = () => {
      const now = needOf(parts);
      if (follows.current && now > need) toEnd();
      need = now;
      look();
    };
    const observer = new ResizeObserver(resized);
    for (const part of [...parts, document.body]) observer.observe(part);
    addEventListener('scroll', look, { signal: leaving.signal });
    addEventListener('resize', resized, { signal: leaving.signal });
    return () => {
      observer.disconnect();
      leaving.abort();
    };
  }, []);
  return { talk, atEnd, toEnd };
}

/** How much more room the parts take than the window has, which a keyboard makes smaller. */
const needOf = (parts: readonly Element[]): number =>
  parts.reduce((sum, part) => sum + part.clientHeight, 0) - page.clientHeight;

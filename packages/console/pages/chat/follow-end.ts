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
    let place = 0;
    let need = turn === undefined ? needOf(talk.current) : Number.NEGATIVE_INFINITY;
    const look = () => {
      atEnd.value = page.scrollHeight - page.clientHeight - scrollY < nearPixels;
    };
    // A page that has grown meanwhile is not at its end either: only a way up is the visitor's.
    const scrolled = () => {
      look();
      if (atEnd.peek()) follows.current = true;
      else if (scrollY < place) follows.current = false;
      place = scrollY;
    };
    const resized = () => {
      const now = needOf(talk.current);
      if (follows.current && now > need) toEnd();
      need = now;
      look();
    };
    const observer = new ResizeObserver(resized);
    for (const part of [...(talk.current?.children ?? []), document.body]) observer.observe(part);
    addEventListener('scroll', scrolled, { passive: true });
    addEventListener('resize', resized);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', scrolled);
      removeEventListener('resize', resized);
    };
  }, []);
  return { talk, atEnd, toEnd };
}

/** How much more room the parts take than the window has, which a keyboard makes smaller. */
const needOf = (talk: HTMLElement | null): number =>
  [...(talk?.children ?? [])].reduce((sum, part) => sum + (part as HTMLElement).offsetHeight, 0) -
  page.clientHeight;

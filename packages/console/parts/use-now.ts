import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The time, read again and again. */
export function useNow(everyMilliseconds: number): number {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, everyMilliseconds);
    return () => clearInterval(timer);
  }, [now, everyMilliseconds]);
  return now.value;
}

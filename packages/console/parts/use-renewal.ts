import { useEffect } from 'preact/hooks';

/** Renews what a page shows, every so often while the page can be seen. The pause begins anew when something else has failed. */
export function useRenewal(
  renew: () => Promise<void>,
  pauseMilliseconds: () => number,
  failed?: unknown,
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    let dueAt = Date.now() + pauseMilliseconds();
    const plan = () => {
      clearTimeout(timer);
      if (!left && !document.hidden) timer = setTimeout(() => void next(), Math.max(0, dueAt - Date.now()));
    };
    const next = async () => {
      // A page that is hidden and shown meanwhile asks no second time.
      dueAt = Number.POSITIVE_INFINITY;
      await renew();
      dueAt = Date.now() + pauseMilliseconds();
      plan();
    };
    document.addEventListener('visibilitychange', plan);
    plan();
    return () => {
      left = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', plan);
    };
  }, [renew, pauseMilliseconds, failed]);
}

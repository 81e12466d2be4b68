import type { HttpEnv } from './env.ts';

/**
 * Calls back once with the refusal `stopping` when the process, or the invocation, is about to end: at once if it
 * already is. Returns the function that stops the waiting.
 */
export function onShutdown(
  { env }: { env: HttpEnv['Bindings'] | undefined },
  callback: (refusal: unknown) => void,
): () => void {
  const signal = env?.shutdown;
  if (!signal) return () => {};
  const end = () => callback(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

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

/**
 * Aborts when the caller's connection closes, and when the process or the invocation is about to end. The signal of a `Request`
 * alone is not enough: once the request is collected, its signal hears no more of the one that it was made with (undici in
 * Node 24.21), and a stream outlives its request.
 */
export function endOfRequest({
  req,
  env,
}: {
  req: { raw: Request };
  env: HttpEnv['Bindings'] | undefined;
}): AbortSignal {
  const { signal } = req.raw;
  return env?.shutdown ? AbortSignal.any([signal, env.shutdown]) : signal;
}

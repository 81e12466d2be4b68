import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

let collect: Collect | undefined;

/**
 * Frees the buffers that a stream has left behind. V8 (13.6) lets up to 64 MB of them wait, because it counts the small
 * objects and not the memory that these hold. A minor collection takes about a millisecond.
 */
export function collectBuffers(): void {
  collect ??= exposeCollector();
  collect({ type: 'minor' });
}

/** The collector is reachable from contexts made after the flag is set; here it reaches no other code. */
function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const exposed = runInNewContext('typeof gc === "function" ? gc : undefined') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return exposed ?? (() => {});
}

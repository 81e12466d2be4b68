import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

let collect: Collect | undefined;

/**
 * Frees the buffers that a stream has used. V8 (13.6) would keep up to 64 MB of them, because it counts the small
 * objects and not the memory behind them. A minor collection takes about a millisecond.
 */
export function collectBuffers(): void {
  collect ??= exposeCollector();
  collect({ type: 'minor' });
}

/** Only contexts made after the flag is set have `gc`. This one is thrown away, so no other code can call it. */
function exposeCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const exposed = runInNewContext('typeof gc === "function" ? gc : undefined') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return exposed ?? (() => {});
}

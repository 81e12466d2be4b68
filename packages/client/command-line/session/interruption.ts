import { InterruptedError } from '../exit-codes.ts';
import type { Interruption } from './session.ts';

/** Turns Ctrl-C into an abort, or into what the command does in its place. */
export function watchInterruption(): Interruption & { stop(): void } {
  const abort = new AbortController();
  let onInterrupt = () => abort.abort(new InterruptedError('Interrupted.'));
  const handle = () => onInterrupt();
  process.on('SIGINT', handle);
  return {
    signal: abort.signal,
    listen(listener) {
      onInterrupt = listener;
    },
    stop: () => void process.off('SIGINT', handle),
  };
}

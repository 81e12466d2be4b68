import { keepAliveComment, limits } from '@errand/platform';
import type { Sink } from './sink.ts';

/** The sink, with a comment whenever nothing was written for a while: proxies give up on silent connections. */
export function withHeartbeat(sink: Sink): Sink {
  const beat = setTimeout(() => {
    sink.write(keepAliveComment);
    beat.refresh();
  }, limits.keepAliveMilliseconds);
  return {
    write(bytes) {
      beat.refresh();
      return sink.write(bytes);
    },
    end() {
      clearTimeout(beat);
      sink.end();
    },
    onDrain: sink.onDrain,
  };
}

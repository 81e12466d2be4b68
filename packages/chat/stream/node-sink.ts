import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { limits } from '@errand/platform';
import type { Sink } from './sink.ts';

/**
 * Writes straight to the response: web streams on the way would cost more than all the rest. A client that takes
 * nothing for as long as a silent upstream is given is cut off.
 */
export function createNodeSink(outgoing: ServerResponse, headers: OutgoingHttpHeaders): Sink {
  let unread: NodeJS.Timeout | undefined;
  const wasRead = () => {
    clearTimeout(unread);
    unread = undefined;
  };
  outgoing.on('drain', wasRead);
  outgoing.on('close', wasRead);
  // A client that resets its connection is told by 'close'; unheard, the error would end the process.
  outgoing.on('error', () => {});
  if (!outgoing.destroyed) outgoing.writeHead(200, headers);
  return {
    write(bytes) {
      if (outgoing.destroyed || outgoing.write(bytes)) return true;
      // From the first write that it did not take: keep-alive comments are written on.
      unread ??= setTimeout(() => outgoing.destroy(), limits.streamStallMilliseconds);
      return false;
    },
    end: () => void outgoing.end(),
    onDrain: (callback) => void outgoing.on('drain', callback),
  };
}

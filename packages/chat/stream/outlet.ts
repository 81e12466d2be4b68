import type { IncomingMessage } from 'node:http';
import { limits } from '@errand/platform';
import type { Sink } from './sink.ts';

export interface Outlet {
  add(piece: Buffer): void;
  /** True the first time that there is something to write. */
  flush(): boolean;
  attach(sink: Sink, onDrain: () => void): void;
  opened(): boolean;
  /** Writes what waits; nothing comes after it. */
  close(): void;
}

/**
 * Holds what came until there is a sink, then writes no faster than the sink takes it. A write costs more than
 * everything else that is done for a chunk, so chunks that come closer than `limits.streamWriteMilliseconds` share
 * one. A chunk after a pause, the first one too, is written at once.
 */
export function createOutlet(response: IncomingMessage): Outlet {
  let pieces: Buffer[] = [];
  let opened = false;
  let sink: Sink | undefined;
  let resting: NodeJS.Timeout | undefined;
  let mayWrite = true;

  const write = () => {
    if (!sink || pieces.length === 0) return;
    const [only] = pieces;
    const bytes = pieces.length === 1 && only ? only : Buffer.concat(pieces);
    pieces = [];
    if (!sink.write(bytes)) response.pause();
    mayWrite = false;
    resting = resting?.refresh() ?? setTimeout(onRested, limits.streamWriteMilliseconds);
  };
  const onRested = () => {
    mayWrite = true;
    write();
  };

  return {
    add: (piece) => void pieces.push(piece),
    flush() {
      const first = !opened && pieces.length > 0;
      opened ||= first;
      if (mayWrite) write();
      return first;
    },
    attach(given, onDrain) {
      sink = given;
      sink.onDrain(() => {
        onDrain();
        response.resume();
      });
      write();
    },
    opened: () => opened,
    close() {
      write();
      clearTimeout(resting);
    },
  };
}

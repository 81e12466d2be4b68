import { StringDecoder } from 'node:string_decoder';
import { limits } from '@errand/platform';
import { createParser } from 'eventsource-parser';

export interface EventReader {
  /** Takes the next bytes, which may end inside a character or an event. False once an event is too long. */
  push(packet: Buffer): boolean;
  /** Ends the stream. A last event without the blank line after it counts too. */
  end(): void;
}

const byteOrderMark = 0xfeff;

/** Calls back with the data of each event, and whether the event is named `error`. */
export function createEventReader(onData: (data: string, isError: boolean) => void): EventReader {
  const decoder = new StringDecoder('utf8');
  let started = false;
  let tooLong = false;
  const parser = createParser({
    onEvent: ({ data, event }) => onData(data, event === 'error'),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') tooLong = true;
    },
    maxBufferSize: limits.streamEventCharacters,
  });
  return {
    push(packet) {
      let text = decoder.write(packet);
      if (text === '' || tooLong) return !tooLong;
      if (!started && text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
      started = true;
      parser.feed(text);
      return !tooLong;
    },
    end() {
      if (!tooLong) parser.feed(`${decoder.end()}\n\n`);
    },
  };
}

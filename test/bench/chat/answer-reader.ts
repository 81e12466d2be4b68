import { sharedMicroseconds, stampDigits, stampMark } from './stamps.ts';
import type { Dialect, Load } from './target.ts';

export interface AnswerReader {
  push(packet: Buffer): void;
  /** When the first content came, by `sharedMicroseconds`; undefined before it. */
  firstContentAt(): number | undefined;
  /** The lag of each chunk so far, in milliseconds. */
  lags: number[];
  /** True when nothing of the answer is missing. */
  isWhole(): boolean;
}

/** `ends` tell that an answer is whole. */
export const createAnswerReader = ({ kind, chunks }: Load, ends: Dialect['ends']): AnswerReader =>
  kind === 'plain' ? createPlainReader(ends.plain) : createStreamReader(chunks, ends.stream);

const mark = Buffer.from(stampMark);
const wordBytes = mark.length + stampDigits;

/** Looks for stamps only and keeps no text: CPU that the client takes is missing for the targets. */
function createStreamReader(chunks: number, end: string): AnswerReader {
  const lags: number[] = [];
  let firstContentAt: number | undefined;
  let hasEnd = false;
  /** The last bytes, which may be the first part of a word, or of the end. */
  let rest: Buffer = Buffer.alloc(0);
  return {
    push(packet) {
      const now = sharedMicroseconds();
      const bytes = rest.length > 0 ? Buffer.concat([rest, packet]) : packet;
      let at = 0;
      // The text may stand in the stream again, as a whole.
      for (let found = bytes.indexOf(mark); found !== -1; found = bytes.indexOf(mark, at)) {
        if (lags.length === chunks || found + wordBytes > bytes.length) break;
        firstContentAt ??= now;
        at = found + wordBytes;
        lags.push((now - Number(bytes.toString('latin1', found + mark.length, at))) / 1000);
      }
      hasEnd ||= lags.length === chunks && bytes.includes(end);
      rest = bytes.subarray(Math.max(at, bytes.length - wordBytes + 1));
    },
    firstContentAt: () => firstContentAt,
    lags,
    isWhole: () => hasEnd,
  };
}

function createPlainReader(end: string): AnswerReader {
  const packets: Buffer[] = [];
  let firstContentAt: number | undefined;
  return {
    push(packet) {
      if (packet.includes(mark)) firstContentAt ??= sharedMicroseconds();
      packets.push(packet);
    },
    firstContentAt: () => firstContentAt,
    lags: [],
    isWhole: () => Buffer.concat(packets).includes(end),
  };
}

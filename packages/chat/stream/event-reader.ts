const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** More than any chunk that a model sends; past it the stream is no stream of chunks. */
const longestEventBytes = 16 * 1024 * 1024;
const mostLines = 1_000;
const errorName = /^event: ?error$/;

export interface EventReader {
  /** Bytes as the network cut them. False once an event is too long to be one. */
  push(packet: Buffer): boolean;
  /** The stream is over: what is there without its line end is still an event. */
  end(): void;
}

/**
 * Server-sent events by the WHATWG's rules for lines, over bytes: no packet is decoded, so none can cut a character.
 * Only data is reported: comments and ids of events mean nothing in this protocol, and of their names only `error`.
 */
export function createEventReader(onData: (data: Buffer, isError: boolean) => void): EventReader {
  const assembler = createAssembler(onData);
  let rest: Buffer | undefined;
  let skipLineFeed = false;
  let started = false;

  /** Takes every line that ends in these bytes, the first end being at `searchFrom` or later; how far it came. */
  const takeLines = (bytes: Buffer, searchFrom: number): number => {
    let at = 0;
    let nextReturn = bytes.indexOf(carriageReturn, searchFrom);
    let nextFeed = bytes.indexOf(lineFeed, searchFrom);
    for (;;) {
      if (skipLineFeed && at < bytes.length) {
        skipLineFeed = false;
        if (bytes[at] === lineFeed) at++;
      }
      if (nextFeed !== -1 && nextFeed < at) nextFeed = bytes.indexOf(lineFeed, at);
      if (nextReturn !== -1 && nextReturn < at) nextReturn = bytes.indexOf(carriageReturn, at);
      const byReturn = nextReturn !== -1 && (nextFeed === -1 || nextReturn < nextFeed);
      const end = byReturn ? nextReturn : nextFeed;
      if (end === -1) return at;
      assembler.line(bytes, at, end);
      skipLineFeed = byReturn;
      at = end + 1;
    }
  };

  return {
    push(packet) {
      let bytes = rest === undefined ? packet : Buffer.concat([rest, packet]);
      let searchFrom = rest?.length ?? 0;
      if (!started && bytes.length >= byteOrderMark.length) {
        started = true;
        searchFrom = 0;
        if (bytes.subarray(0, 3).equals(byteOrderMark)) bytes = bytes.subarray(3);
      }
      const taken = takeLines(bytes, searchFrom);
      rest = taken === bytes.length ? undefined : bytes.subarray(taken);
      return (rest?.length ?? 0) <= longestEventBytes && assembler.pendingLines() <= mostLines;
    },
    end() {
      if (rest) assembler.line(rest, 0, rest.length);
      rest = undefined;
      assembler.dispatch();
    },
  };
}

/** Puts the data lines of an event together; an empty line ends it. */
function createAssembler(onData: (data: Buffer, isError: boolean) => void) {
  let lines: Buffer[] = [];
  let isError = false;
  const dispatch = () => {
    const [first] = lines;
    const named = isError;
    isError = false;
    if (!first) return;
    const data = lines.length === 1 ? first : joinLines(lines);
    lines = [];
    onData(data, named);
  };
  return {
    dispatch,
    pendingLines: () => lines.length,
    line(bytes: Buffer, start: number, end: number) {
      if (start === end) return dispatch();
      if (!isDataLine(bytes, start, end)) {
        if (bytes[start] === 0x65 && errorName.test(bytes.toString('latin1', start, end))) isError = true;
        return;
      }
      const value = start + 5;
      lines.push(bytes.subarray(bytes[value] === space ? value + 1 : Math.min(value, end), end));
    },
  };
}

function isDataLine(bytes: Buffer, start: number, end: number): boolean {
  const word =
    bytes[start] === 0x64 &&
    bytes[start + 1] === 0x61 &&
    bytes[start + 2] === 0x74 &&
    bytes[start + 3] === 0x61;
  return word && (end === start + 4 || bytes[start + 4] === colon);
}

const blank = Buffer.from(' ');

/** With a blank where the standard has a line feed: the same to JSON, and what is passed on stays one line. */
const joinLines = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [blank, line])));

import { S3Error } from './errors.ts';

/**
 * Yields the bytes inside an unsigned `aws-chunked` body. Puts the body's trailing headers, with names in lower case,
 * into `trailer`.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  trailer: Map<string, string>,
): AsyncGenerator<Buffer> {
  const input = createInput(source);
  try {
    for (;;) {
      const bytes = readChunkSize(await input.line());
      for (let rest = bytes; rest > 0; ) {
        const piece = await input.upTo(rest);
        rest -= piece.length;
        yield piece;
      }
      if (bytes === 0) break;
      if ((await input.line()) !== '') throw malformed();
    }
    await readTrailer(input, trailer);
    await input.end();
  } finally {
    await input.leave();
  }
}

function readChunkSize(line: string): number {
  if (!/^[0-9a-fA-F]{1,10}$/.test(line)) throw malformed();
  return Number.parseInt(line, 16);
}

async function readTrailer(input: Input, trailer: Map<string, string>): Promise<void> {
  for (let line = await input.line(); line !== ''; line = await input.line()) {
    const colon = line.indexOf(':');
    if (colon < 1 || trailer.size === maxTrailingHeaders) throw malformed();
    trailer.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

const maxTrailingHeaders = 16;
const maxLineBytes = 8192;

type Input = ReturnType<typeof createInput>;

function createInput(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  const more = async () => {
    const { value, done } = await iterator.next();
    if (done) throw new S3Error('IncompleteBody');
    buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value]);
  };
  return {
    async line(): Promise<string> {
      for (;;) {
        const end = buffered.indexOf('\r\n');
        if (end > maxLineBytes || (end < 0 && buffered.length > maxLineBytes)) throw malformed();
        if (end >= 0) {
          const line = buffered.toString('latin1', 0, end);
          buffered = buffered.subarray(end + 2);
          return line;
        }
        await more();
      }
    },
    async upTo(bytes: number): Promise<Buffer> {
      if (buffered.length === 0) await more();
      const piece = buffered.subarray(0, bytes);
      buffered = buffered.subarray(piece.length);
      return piece;
    },
    async end(): Promise<void> {
      if (buffered.length > 0 || !(await iterator.next()).done) throw malformed();
    },
    async leave(): Promise<void> {
      await iterator.return?.();
    },
  };
}

const malformed = () => new S3Error('InvalidRequest', 'The aws-chunked body is malformed.');

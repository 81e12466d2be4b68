import { createHash } from 'node:crypto';
import { S3Error } from './errors.ts';
import { sha256Hex } from './scope-signer.ts';
import { sameText } from './verify-signature.ts';

/** Signs what follows the previous signature of a streaming upload: the kind of link, and the hashes it binds. */
export type ChunkSigner = (
  kind: 'PAYLOAD' | 'TRAILER',
  previous: string,
  hashes: string[],
) => Promise<string>;

export interface ChunkChain {
  seedSignature: string;
  sign: ChunkSigner;
}

/**
 * Yields the bytes inside an `aws-chunked` body and returns its trailing headers. With a chain, every chunk's
 * signature is checked at its end: what was yielded is to be trusted only once the generator has returned.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  chain: ChunkChain | undefined,
): AsyncGenerator<Buffer, Map<string, string>> {
  const input = createInput(source);
  let previous = chain?.seedSignature ?? '';
  try {
    for (;;) {
      const { bytes, signature } = readChunkHeader(await input.line());
      const digest = yield* readChunk(input, bytes);
      if (chain) {
        const expected = await chain.sign('PAYLOAD', previous, [sha256Hex(''), digest]);
        if (!sameText(expected, signature ?? '')) throw new S3Error('SignatureDoesNotMatch');
        previous = expected;
      }
      if (bytes === 0) break;
      if ((await input.line()) !== '') throw malformed();
    }
    const trailer = await readTrailer(input, chain, previous);
    await input.end();
    return trailer;
  } finally {
    await input.leave();
  }
}

/** Yields the bytes of one chunk; returns their SHA-256. */
async function* readChunk(input: Input, bytes: number): AsyncGenerator<Buffer, string> {
  const hash = createHash('sha256');
  for (let rest = bytes; rest > 0; ) {
    const piece = await input.upTo(rest);
    rest -= piece.length;
    hash.update(piece);
    yield piece;
  }
  return hash.digest('hex');
}

function readChunkHeader(line: string): { bytes: number; signature?: string } {
  const [, bytes, signature] = /^([0-9a-fA-F]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? [];
  if (bytes === undefined) throw malformed();
  return { bytes: Number.parseInt(bytes, 16), ...(signature && { signature }) };
}

async function readTrailer(
  input: Input,
  chain: ChunkChain | undefined,
  previous: string,
): Promise<Map<string, string>> {
  const trailer = new Map<string, string>();
  for (let line = await input.line(); line !== ''; line = await input.line()) {
    const colon = line.indexOf(':');
    if (colon < 1 || trailer.size === 16) throw malformed();
    trailer.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  if (chain && trailer.size > 0) {
    const signature = trailer.get('x-amz-trailer-signature');
    trailer.delete('x-amz-trailer-signature');
    const signed = [...trailer].map(([name, value]) => `${name}:${value}\n`).join('');
    const expected = await chain.sign('TRAILER', previous, [sha256Hex(signed)]);
    if (!sameText(expected, signature ?? '')) throw new S3Error('SignatureDoesNotMatch');
  }
  return trailer;
}

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

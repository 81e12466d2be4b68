import type { IncomingMessage } from 'node:http';
import { Duplex, pipeline, type Readable, Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { FetchError } from './failure.ts';
import type { FetchMeter } from './fetch-meter.ts';

/** RFC 9659 limits windows to 8 MB. Without this, a sender could make the library take 128 MB. */
const zstdWindowLog = 23;

const maxLayers = 2;

const decoders: Record<string, (firstByte: number) => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // The standard means zlib's format, but some servers send bare deflate.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } }),
};

/**
 * The decompressed body. It fails with `too_large` if the compressed or the decompressed bytes exceed `maxBytes`. The
 * meter counts the bytes as they arrive.
 */
export function decodeBody(response: IncomingMessage, maxBytes: number, meter?: FetchMeter): Readable {
  const encodings = readEncodings(response.headers['content-encoding']);
  const layers = encodings.map((encoding) => layer(decoders[encoding]!));
  const compressed = layers.length > 0 ? [limitBytes(maxBytes, meter), ...layers] : [];
  const body = limitBytes(maxBytes, layers.length > 0 ? undefined : meter);
  body.on('error', () => {});
  pipeline([response, ...compressed, body], () => {});
  return body;
}

function readEncodings(header: string | undefined): string[] {
  const named = (header ?? '').toLowerCase().split(',');
  const encodings = named.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (encodings.length > maxLayers || encodings.some((name) => !Object.hasOwn(decoders, name))) {
    throw new FetchError('connection', { reason: 'the answer is compressed in a way that cannot be read' });
  }
  return encodings.reverse();
}

function limitBytes(maxBytes: number, meter?: FetchMeter): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      try {
        meter?.take(chunk.byteLength);
        if (bytes > maxBytes) throw new FetchError('too_large');
        done(null, chunk);
      } catch (error) {
        done(error as FetchError);
      }
    },
  });
}

/** A decoder that is made when the first bytes arrive. An empty body needs none and stays empty. */
function layer(create: (firstByte: number) => Transform): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const chunks = source[Symbol.asyncIterator]();
    const first = await chunks.next();
    if (first.done) return;
    async function* whole() {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    }
    yield* pipeline(whole, create(first.value[0] ?? 0), () => {});
  });
}

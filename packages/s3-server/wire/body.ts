import { createHash } from 'node:crypto';
import { type ChunkChain, decodeAwsChunked } from './aws-chunked.ts';
import { algorithmOfHeader, type ChecksumAlgorithm, checksumHeader, startChecksum } from './checksums.ts';
import { S3Error } from './errors.ts';
import { readInteger, type S3Request } from './request.ts';
import type { VerifiedRequest } from './verify-signature.ts';

/** What the whole body turned out to be. */
export interface BodyDigests {
  bytes: number;
  md5: Buffer;
  checksum?: { algorithm: ChecksumAlgorithm; value: string };
}

export interface IncomingBody {
  /** Ends with an error if the body is not what the request's headers, signature and checksums say. */
  chunks: AsyncIterable<Buffer>;
  /** Known once `chunks` has ended. */
  digests(): BodyDigests;
}

/** The largest object that one request may carry. */
const maxBodyBytes = 5 * 1024 ** 3;

export function openBody(request: S3Request, verified: VerifiedRequest): IncomingBody {
  const announcedBytes = announcedLength(request, verified);
  const expected = expectedChecksum(request);
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  const checksum = expected && startChecksum(expected.algorithm);
  const isHashed = /^[0-9a-f]{64}$/.test(verified.payloadHash);
  let result: BodyDigests | undefined;

  async function* chunks() {
    let bytes = 0;
    const source = payload(request, verified);
    const trailer = yield* watch(source, (chunk) => {
      bytes += chunk.length;
      if (bytes > announcedBytes) throw new S3Error('IncompleteBody');
      md5.update(chunk);
      if (isHashed) sha256.update(chunk);
      checksum?.update(chunk);
    });
    if (bytes !== announcedBytes) throw new S3Error('IncompleteBody');
    if (isHashed && sha256.digest('hex') !== verified.payloadHash)
      throw new S3Error('XAmzContentSHA256Mismatch');
    result = { bytes, md5: md5.digest() };
    checkMd5(request, result.md5);
    if (!expected || !checksum) return;
    const value = checksum.digest().toString('base64');
    if (value !== (expected.value ?? trailer.get(checksumHeader(expected.algorithm))))
      throw new S3Error('BadDigest');
    result.checksum = { algorithm: expected.algorithm, value };
  }

  return {
    chunks: chunks(),
    digests() {
      if (!result) throw new Error('the body has not been read to its end');
      return result;
    },
  };
}

/** The whole of a small body, for operations whose request is a document. */
export async function readText(
  request: S3Request,
  verified: VerifiedRequest,
  maxBytes = 4 * 1024 ** 2,
): Promise<string> {
  const collected: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of openBody(request, verified).chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new S3Error('EntityTooLarge');
    collected.push(chunk);
  }
  return Buffer.concat(collected).toString('utf8');
}

function announcedLength(request: S3Request, verified: VerifiedRequest): number {
  const isStreaming = verified.payloadHash.startsWith('STREAMING-');
  const name = isStreaming ? 'x-amz-decoded-content-length' : 'content-length';
  const bytes = readInteger(name, request.sentHeaders.get(name));
  if (bytes === undefined) {
    if (request.sentHeaders.has('transfer-encoding') || isStreaming)
      throw new S3Error('MissingContentLength');
    return 0;
  }
  if (bytes > maxBodyBytes) throw new S3Error('EntityTooLarge');
  return bytes;
}

async function* payload(
  request: S3Request,
  verified: VerifiedRequest,
): AsyncGenerator<Buffer, Map<string, string>> {
  const { payloadHash } = verified;
  if (!payloadHash.startsWith('STREAMING-')) {
    if (payloadHash !== 'UNSIGNED-PAYLOAD' && !/^[0-9a-f]{64}$/.test(payloadHash)) {
      throw new S3Error(
        'InvalidArgument',
        'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING- word or a hash.',
      );
    }
    yield* bytesOf(request);
    return new Map();
  }
  const isKnown = /^STREAMING-(UNSIGNED-PAYLOAD-TRAILER|AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?)$/.test(
    payloadHash,
  );
  if (!isKnown) throw new S3Error('NotImplemented', `${payloadHash} is not offered here.`);
  const chain = payloadHash.includes('HMAC') ? chunkChain(verified) : undefined;
  return yield* decodeAwsChunked(bytesOf(request), chain);
}

/** Giving up in the middle leaves the connection as it is: the refusal still has to be sent on it. */
function bytesOf(request: S3Request): AsyncIterableIterator<Buffer> {
  return request.message.iterator({ destroyOnReturn: false });
}

/** Passes chunks on as they come, each seen before it is yielded, and returns what the source returns. */
async function* watch<Result>(
  source: AsyncGenerator<Buffer, Result>,
  see: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, Result> {
  try {
    for (;;) {
      const step = await source.next();
      if (step.done) return step.value;
      see(step.value);
      yield step.value;
    }
  } finally {
    await source.return(undefined as Result);
  }
}

function chunkChain({ seedSignature, signer, longDate, scope }: VerifiedRequest): ChunkChain {
  return {
    seedSignature,
    sign: (kind, previous, hashes) =>
      signer([`AWS4-HMAC-SHA256-${kind}`, longDate, scope, previous, ...hashes]),
  };
}

function expectedChecksum(request: S3Request): { algorithm: ChecksumAlgorithm; value?: string } | undefined {
  for (const [name, value] of request.sentHeaders) {
    const algorithm = algorithmOfHeader(name);
    if (algorithm) return { algorithm, value };
  }
  const algorithm = algorithmOfHeader(request.sentHeaders.get('x-amz-trailer')?.toLowerCase() ?? '');
  return algorithm && { algorithm };
}

function checkMd5(request: S3Request, md5: Buffer): void {
  const given = request.sentHeaders.get('content-md5');
  if (given === undefined) return;
  const bytes = Buffer.from(given, 'base64');
  if (bytes.length !== md5.length) throw new S3Error('InvalidDigest');
  if (!bytes.equals(md5)) throw new S3Error('BadDigest');
}

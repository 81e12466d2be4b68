import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { decodeAwsChunked } from './aws-chunked.ts';
import { S3Error } from './errors.ts';
import { readInteger, type S3Request } from './request.ts';

interface IncomingBody {
  /** The announced length. `chunks` fails if the body is shorter or longer. */
  bytes: number;
  /** Ends with an error if the body is not what the request's headers, signature and checksums say. */
  chunks: AsyncIterable<Buffer>;
  /** The MD5 in quotes; known once `chunks` has ended. */
  entityTag(): string;
}

/** The largest object that one request may carry. */
const maxBodyBytes = 5 * 1024 ** 3;

const checksumHeader = 'x-amz-checksum-crc32';
const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

export function openBody(request: S3Request, payloadHash: string): IncomingBody {
  const announcedBytes = announcedLength(request, payloadHash);
  const hasChecksum = expectsChecksum(request);
  const md5 = createHash('md5');
  let tag: string | undefined;

  async function* chunks() {
    const sha256 = createHash('sha256');
    const trailer = new Map<string, string>();
    let [bytes, sum] = [0, 0];
    for await (const chunk of readPayload(request, payloadHash, trailer)) {
      bytes += chunk.length;
      if (bytes > announcedBytes) throw new S3Error('IncompleteBody');
      md5.update(chunk);
      if (isHash(payloadHash)) sha256.update(chunk);
      if (hasChecksum) sum = crc32(chunk, sum);
      yield chunk;
    }
    if (bytes !== announcedBytes) throw new S3Error('IncompleteBody');
    if (isHash(payloadHash) && sha256.digest('hex') !== payloadHash)
      throw new S3Error('XAmzContentSHA256Mismatch');
    const digest = md5.digest();
    checkMd5(request, digest);
    if (hasChecksum) checkCrc32(request.sentHeaders.get(checksumHeader) ?? trailer.get(checksumHeader), sum);
    tag = `"${digest.toString('hex')}"`;
  }

  return {
    bytes: announcedBytes,
    chunks: chunks(),
    entityTag() {
      if (tag === undefined) throw new Error('the body has not been read to its end');
      return tag;
    },
  };
}

/** Reads a small body whole, for operations whose request is a document. Throws EntityTooLarge. */
export async function readText(
  request: S3Request,
  payloadHash: string,
  maxBytes = 4 * 1024 ** 2,
): Promise<string> {
  const body = openBody(request, payloadHash);
  if (body.bytes > maxBytes) throw new S3Error('EntityTooLarge');
  const collected: Buffer[] = [];
  for await (const chunk of body.chunks) collected.push(chunk);
  return Buffer.concat(collected).toString('utf8');
}

function announcedLength(request: S3Request, payloadHash: string): number {
  const isStreaming = payloadHash.startsWith('STREAMING-');
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

/** The object's own bytes. Headers after them are put into `trailer`. */
function readPayload(
  request: S3Request,
  payloadHash: string,
  trailer: Map<string, string>,
): AsyncIterable<Buffer> {
  // A body that is refused in the middle must not close the connection, which still has to carry the refusal.
  const source = request.message.iterator({ destroyOnReturn: false });
  if (payloadHash === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return decodeAwsChunked(source, trailer);
  if (payloadHash === 'UNSIGNED-PAYLOAD' || isHash(payloadHash)) return source;
  if (payloadHash.startsWith('STREAMING-'))
    throw new S3Error('NotImplemented', `${payloadHash} is not offered here.`);
  throw new S3Error('InvalidArgument', 'x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a hash.');
}

function expectsChecksum({ sentHeaders }: S3Request): boolean {
  const trailer = sentHeaders.get('x-amz-trailer')?.toLowerCase();
  if (trailer !== undefined && trailer !== checksumHeader)
    throw new S3Error('NotImplemented', `The trailing header ${trailer} is not offered here.`);
  return trailer !== undefined || sentHeaders.has(checksumHeader);
}

function checkCrc32(checksum: string | undefined, sum: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  if (checksum !== bytes.toString('base64')) throw new S3Error('BadDigest');
}

function checkMd5(request: S3Request, md5: Buffer): void {
  const contentMd5 = request.sentHeaders.get('content-md5');
  if (contentMd5 === undefined) return;
  const bytes = Buffer.from(contentMd5, 'base64');
  if (bytes.length !== md5.length) throw new S3Error('InvalidDigest');
  if (!bytes.equals(md5)) throw new S3Error('BadDigest');
}

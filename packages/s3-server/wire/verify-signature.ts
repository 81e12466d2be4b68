import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { getCanonicalHeaders, getCanonicalQuery } from '@smithy/signature-v4';
import type { Clock } from '../clock.ts';
import { S3Error } from './errors.ts';
import { type Credentials, readAuthorization, type SignatureClaim } from './read-authorization.ts';
import type { S3Request } from './request.ts';

/**
 * Refuses a request whose signature was not made with the credentials or is not valid now. Returns the signed hash of
 * the body: its SHA-256 in hex, `UNSIGNED-PAYLOAD`, or one of the `STREAMING-` words.
 */
export function verifySignature(
  deps: { credentials: Credentials; clock: Clock },
  request: S3Request,
): string {
  const claim = readAuthorization(request, deps);
  refuseUnsignedHeaders(request, claim);
  const hash = createHash('sha256').update(canonicalRequest(request, claim)).digest('hex');
  const text = ['AWS4-HMAC-SHA256', claim.longDate, claim.scope, hash].join('\n');
  const expected = hmac(signingKey(deps.credentials, claim), text).toString('hex');
  if (!sameText(expected, claim.signature)) throw new S3Error('SignatureDoesNotMatch');
  return claim.payloadHash;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The key for the scope's day, region and service, made from the secret. */
function signingKey({ secretAccessKey }: Credentials, { scope }: SignatureClaim): Buffer {
  return scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
}

function canonicalRequest(request: S3Request, claim: SignatureClaim): string {
  const signed: Record<string, string> = {};
  for (const name of claim.signedHeaders) {
    const value = request.sentHeaders.get(name);
    if (value !== undefined) signed[name] = value;
  }
  const parts = { method: request.method, protocol: 'http:', hostname: '', path: request.path };
  const headers = getCanonicalHeaders({ ...parts, headers: signed }, undefined, new Set(claim.signedHeaders));
  return [
    request.method,
    canonicalPath(request.path),
    getCanonicalQuery({ ...parts, headers: {}, query: Object.fromEntries(request.query) }),
    ...Object.keys(headers)
      .sort()
      .map((name) => `${name}:${headers[name]}`),
    '',
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n');
}

/** The one spelling that is signed, because clients differ in what they escape. */
function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => escapeStrictly(decodeURIComponent(segment)))
    .join('/');
}

function escapeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

function refuseUnsignedHeaders(request: S3Request, claim: SignatureClaim): void {
  const unsigned = [...request.sentHeaders.keys()].filter(
    (name) => (name.startsWith('x-amz-') || name === 'host') && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) {
    const reason = 'There were headers present in the request which were not signed';
    throw new S3Error('AccessDenied', `${reason}: ${unsigned.join(', ')}`);
  }
}

function sameText(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

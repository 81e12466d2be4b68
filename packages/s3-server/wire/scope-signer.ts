import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Credentials, SignatureClaim } from './read-authorization.ts';

/** Signs the lines of a string to sign, with the key of one day, region and service. */
export type ScopeSigner = (lines: readonly string[]) => Promise<string>;

export function createScopeSigner(credentials: Credentials, claim: SignatureClaim): ScopeSigner {
  const signature = new SignatureV4({
    credentials,
    region: claim.region,
    service: 's3',
    sha256: Sha256,
    applyChecksum: false,
    uriEscapePath: false,
  });
  const signingDate = new Date(claim.signedAtMilliseconds);
  return (lines) => signature.sign(lines.join('\n'), { signingDate });
}

export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');

/** node:crypto in the shape that the signer asks for: a hash, or with a secret an HMAC. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a signer makes a new hash each time');
  }
}

function toBytes(secret: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof secret === 'string') return Buffer.from(secret);
  if (ArrayBuffer.isView(secret)) return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
  return new Uint8Array(secret);
}

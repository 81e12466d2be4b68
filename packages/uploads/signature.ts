import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The purpose of a signature. A signature for one purpose is not valid for another. */
type Purpose = 'file-link' | 'upload-id';

/** HMAC-SHA-256 over the fields in base64url, with a key that is derived from the secret for this purpose alone. */
export function signFields(secret: string, purpose: Purpose, fields: readonly string[]): string {
  if (secret === '') throw new Error('nothing can be signed: LINK_SECRET is not set');
  const key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  return createHmac('sha256', key).update(JSON.stringify(fields)).digest('base64url');
}

/** Compares in a time that says nothing of where signatures differ. */
export function isSameSignature(expected: string, actual: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
}

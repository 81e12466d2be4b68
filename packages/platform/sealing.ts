import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what callers entrust to the service before it is stored, and decrypts it where it is used. */
export interface Sealer {
  /** `place` says to what the text belongs. The sealed text opens with the same place alone. */
  seal(text: string, place: string): string;
  /** Throws `SealBroken`. */
  open(sealed: string, place: string): string;
}

/** A sealed text cannot be opened: the service has its key no longer, or the text was altered or moved. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Of each secret that the service keeps for itself. */
export const leastSecretCharacters = 32;

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const idBytes = 4;
const form = /^sealed-1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

interface Key {
  id: string;
  secret: Buffer;
}

/** Seals with a key made of the first secret. Texts that were sealed with one of the others still open. */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map(keyOf);
  const [own] = keys;
  return {
    seal(text, place) {
      if (!own) throw new Error('nothing can be sealed: STORE_SECRET is not set');
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, own.secret, nonce, { authTagLength: tagBytes });
      cipher.setAAD(bound(own, place));
      const hidden = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `sealed-1.${own.id}.${hidden.toString('base64url')}`;
    },
    open(sealed, place) {
      const [, id, hidden = ''] = form.exec(sealed) ?? [];
      const key = keys.find((each) => each.id === id);
      if (!key) throw new SealBroken(`no key ${id ?? 'of this form'}`);
      return decrypt(key, Buffer.from(hidden, 'base64url'), place);
    },
  };
}

export const isSealed = (text: string): boolean => form.test(text);

function decrypt(key: Key, hidden: Buffer, place: string): string {
  const tagAt = hidden.length - tagBytes;
  try {
    const nonce = hidden.subarray(0, nonceBytes);
    const cipher = createDecipheriv(algorithm, key.secret, nonce, { authTagLength: tagBytes });
    cipher.setAAD(bound(key, place));
    cipher.setAuthTag(hidden.subarray(tagAt));
    return Buffer.concat([cipher.update(hidden.subarray(nonceBytes, tagAt)), cipher.final()]).toString(
      'utf8',
    );
  } catch {
    throw new SealBroken(`altered, or of another place (key ${key.id})`);
  }
}

const bound = ({ id }: Key, place: string): Buffer => Buffer.from(`sealed-1.${id}.${place}`);

function keyOf(secret: string): Key {
  if (secret.length < leastSecretCharacters) throw new Error('a secret for sealing is too short');
  const derive = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, '', info, bytes));
  return {
    id: derive('errand/sealing/id', idBytes).toString('hex'),
    secret: derive('errand/sealing/key', keyBytes),
  };
}

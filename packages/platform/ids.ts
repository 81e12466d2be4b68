import { hash, randomBytes, randomUUID } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random base62 characters without modulo bias: about 5.95 bits each. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}

/** An opaque id such as `skill_3xV...`. */
export const newId = (prefix: string): string => `${prefix}_${randomText(20)}`;

export const newUuid = (): string => randomUUID();

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the text has the form of an id of `newUuid`. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** An id of the same form that a text always gives. */
export const uuidOf = (text: string): string =>
  sha256Hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data);

/** Base62 of a non-negative integer, left-padded with zeros to `width`. */
export function toBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  do {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text.padStart(width, '0');
}

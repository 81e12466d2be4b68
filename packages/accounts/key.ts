import { crc32 } from 'node:zlib';
import { randomText, sha256Hex, toBase62 } from '@errand/platform';

const prefix = 'errand_';
const randomCharacters = 32;
const checksumCharacters = 6;

const form = new RegExp(`^(${prefix}[0-9A-Za-z]{${randomCharacters}})([0-9A-Za-z]{${checksumCharacters}})$`);

/** The prefix lets secret scanners find a leaked key; the checksum refuses a mistyped one without a look-up. */
export function newApiKey(): string {
  const body = prefix + randomText(randomCharacters);
  return body + checksumOf(body);
}

export function isApiKey(text: string): boolean {
  const [, body, checksum] = form.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum;
}

const checksumOf = (body: string) => toBase62(crc32(body), checksumCharacters);

/** The stored form of a key, SHA-256 in hex. A key has 190 random bits, so it needs no salt and no slow hash. */
export const hashKey = (key: string): string => sha256Hex(key);

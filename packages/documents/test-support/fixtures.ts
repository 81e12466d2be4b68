import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { convertDocument } from '../index.ts';

export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)));
}

export function convertFixture(name: string) {
  return convertDocument({}, { bytes: readFixture(name), extension: extname(name) });
}

export function convertText(extension: string, text: string, encoding: BufferEncoding = 'utf8') {
  return convertDocument({}, { bytes: new Uint8Array(Buffer.from(text, encoding)), extension });
}

import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type ConvertLimits, readDocument } from '../index.ts';

export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)));
}

/** Shows a document whole, however long it is. */
export const wholeReading = { wholeCharacters: Number.POSITIVE_INFINITY, shownCharacters: 0 };

/** The whole text of a document, with its title and its number of pages. */
export async function readWhole(
  document: { bytes: Uint8Array; extension: string; charset?: string; signal?: AbortSignal },
  limits: Partial<ConvertLimits> = {},
) {
  const { shown, pages } = await readDocument({ limits }, { ...document, reading: wholeReading });
  const { text, title } = shown;
  return { text, title, pages };
}

export const convertFixture = (name: string) =>
  readWhole({ bytes: readFixture(name), extension: extname(name) });

export const convertText = (extension: string, text: string, encoding: BufferEncoding = 'utf8') =>
  readWhole({ bytes: new Uint8Array(Buffer.from(text, encoding)), extension });

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

export const root = path.resolve(import.meta.dirname, '../../..');

const pageFile = path.join(root, 'docs/clients.md');

export type Part = 'connections' | 'openapi-fetch' | 'hey-api' | 'summary' | 'table';

const begin = (part: Part) => `<!-- ${part}: made by test/clients -->\n`;
const end = (part: Part) => `<!-- end of ${part} -->`;

function split(part: Part): { before: string; inside: string; after: string } {
  const [before = '', rest = ''] = readFileSync(pageFile, 'utf8').split(begin(part));
  const [inside = '', after] = rest.split(end(part));
  if (after === undefined) throw new Error(`docs/clients.md has no ${part}`);
  return { before, inside, after };
}

/** The text of the page between the markers of a part. */
export const readPart = (part: Part): string => split(part).inside;

/** Compares a part of the page with what the tests make of it, or writes it. */
export function compareOrWritePart(part: Part, made: string): void {
  const { before, inside, after } = split(part);
  if (isRewriting) writeFileSync(pageFile, `${before}${begin(part)}${made}${end(part)}${after}`);
  else expect(inside, told).toBe(made);
}

export const isRewriting = process.env.UPDATE_DOCS === '1';

export const told =
  'docs/clients.md differs from the tests. To rewrite it: UPDATE_DOCS=1 npm test -- test/clients';

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Marks, partOf } from '../../support/page.ts';

export const root = path.resolve(import.meta.dirname, '../../..');

const pageFile = path.join(root, 'docs/clients.md');

type Part = 'connections' | 'openapi-fetch' | 'hey-api' | 'summary' | 'table';

const marksOf = (part: Part): Marks => [
  `<!-- ${part}: made by test/clients -->\n`,
  `<!-- end of ${part} -->`,
];

const split = (part: Part) => partOf(readFileSync(pageFile, 'utf8'), marksOf(part));

/** The text of the page between the markers of a part. */
export const readPart = (part: Part): string => split(part).inside;

/** Compares a part of the page with what the tests make of it, or writes it. */
export function compareOrWritePart(part: Part, made: string): void {
  const { before, inside, after } = split(part);
  if (isRewriting) writeFileSync(pageFile, before + made + after);
  else expect(inside, told).toBe(made);
}

export const isRewriting = process.env.UPDATE_DOCS === '1';

export const told =
  'docs/clients.md differs from the tests. To rewrite it: UPDATE_DOCS=1 npm test -- test/clients';

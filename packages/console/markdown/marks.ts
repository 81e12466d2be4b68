import type { components } from '@errand/client';
import type { ComponentChildren } from 'preact';
import type { MathsTree } from './maths-tree.ts';

export type Citation = components['schemas']['Citation'];

/** A number in brackets in the answer, and the citation that it stands for. */
export interface Mark {
  /** Where it stands in the answer. */
  at: number;
  length: number;
  number: number;
  /** The citation's place in the run's list. */
  citation: number;
}

/** How a text with markers is drawn. */
export interface Drawing {
  marks: readonly Mark[];
  drawMark: (mark: Mark) => ComponentChildren;
  /** The formulas that were read, by their keys. */
  maths: ReadonlyMap<string, MathsTree | undefined>;
}

/**
 * Finds which marker of the answer stands for which citation: markers of a claim stand in or beside it, and its citations
 * are in their order.
 */
export function findMarks(answer: string, citations: readonly Citation[]): Mark[] {
  const claims = [...claimsOf(citations).values()];
  const marks: Mark[] = [];
  for (const { 0: text, 1: digits, index } of answer.matchAll(/\[(\d{1,3})\]/g)) {
    const claim = nearest(claims, index, index + text.length);
    if (!claim) continue;
    const number = Number(digits);
    if (!claim.numbers.includes(number)) claim.numbers.push(number);
    const citation = claim.citations[claim.numbers.indexOf(number)];
    if (citation !== undefined) marks.push({ at: index, length: text.length, number, citation });
  }
  return marks;
}

interface Claim {
  start: number;
  end: number;
  citations: number[];
  /** The numbers that were met so far. */
  numbers: number[];
}

function claimsOf(citations: readonly Citation[]): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  citations.forEach(({ startIndex: start, endIndex: end }, i) => {
    const claim = claims.get(`${start} ${end}`) ?? { start, end, citations: [], numbers: [] };
    claim.citations.push(i);
    claims.set(`${start} ${end}`, claim);
  });
  return claims;
}

/** Farther from a claim than punctuation and other markers reach, a number in brackets is only text. */
const reachCharacters = 60;

function nearest(claims: readonly Claim[], from: number, to: number): Claim | undefined {
  const distances = claims.map(({ start, end }) => Math.max(start - to, from - end, 0));
  const least = Math.min(...distances);
  return least > reachCharacters ? undefined : claims[distances.indexOf(least)];
}

const open = '\uE000';
const close = '\uE001';

/** The answer with its markers as signs that the reader of markdown leaves alone. */
export function withSigns(answer: string, marks: readonly Mark[]): string {
  const plain = answer.replaceAll(open, ' ').replaceAll(close, ' ');
  let text = '';
  let at = 0;
  marks.forEach((mark, i) => {
    text += plain.slice(at, mark.at) + open + i + close;
    at = mark.at + mark.length;
  });
  return text + plain.slice(at);
}

/** The pieces of a text between signs, and the signs' marks. */
export function splitSigns(text: string, marks: readonly Mark[]): (string | Mark)[] {
  return text
    .split(new RegExp(`${open}(\\d+)${close}`))
    .map((piece, i) => (i % 2 === 0 ? piece : (marks[Number(piece)] ?? '')))
    .filter((piece) => piece !== '');
}

/** The text as it was before it had signs. */
export const withoutSigns = (text: string, marks: readonly Mark[]): string =>
  splitSigns(text, marks)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.number}]`))
    .join('');

/** A claim as it reads without its markers and signs of emphasis. */
export const withoutMarkers = (text: string): string =>
  text
    .replaceAll(/\s*\[\d{1,3}\]/g, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();

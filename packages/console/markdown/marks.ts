import type { components } from '@errand/client';
import type { ComponentChildren } from 'preact';
import type { MathsTree } from './maths-tree.ts';

export type Citation = components['schemas']['Citation'];

/** A part of a text that is drawn in a way of its own. */
export interface Mark {
  /** Where it stands in the text. */
  at: number;
  length: number;
  /** What stands there. */
  text: string;
}

/** A number in brackets in the answer, and the citation that it stands for. */
export interface Marker extends Mark {
  number: number;
  /** The citation's place in the run's list. */
  citation: number;
}

/** How a text with marks is drawn. */
export interface Drawing {
  marks: readonly Mark[];
  drawMark(mark: Mark): ComponentChildren;
  /** The formulas by their places in the text, as far as they are drawn. */
  maths: readonly (MathsTree | undefined)[];
  /** The text is a piece of a source: its code may have marks, and its headings are none of the page. */
  isQuoted?: boolean;
}

const markers = /[[【［]\^?\d{1,3}(?:\s*[,;，、；–-]\s*\d{1,3})*[\]】］]/g;

/** Each is a button with its claim's words: more make the page slow. They are text. */
export const mostMarkers = 2_000;

/** Finds the markers of the answer, each with the citation that it stands for: of the claim that it stands in or beside. */
export function findMarkers(answer: string, citations: readonly Citation[]): Marker[] {
  const found: Marker[] = [];
  const ofNumber = Map.groupBy(citations.keys(), (i) => citations[i]!.number);
  const nearest = (number: number, from: number, to: number): number | undefined => {
    const distanceTo = (i: number) =>
      Math.max(citations[i]!.startIndex - to, from - citations[i]!.endIndex, 0);
    const near = (ofNumber.get(number) ?? []).filter((i) => distanceTo(i) <= reachCharacters);
    return near.sort((a, b) => distanceTo(a) - distanceTo(b))[0];
  };
  for (const { 0: whole, index } of answer.matchAll(markers)) {
    const numbers = [...whole.matchAll(/\d+/g)];
    for (const { 0: digits, index: at } of numbers) {
      const citation = nearest(Number(digits), index, index + whole.length);
      if (citation === undefined) continue;
      if (found.length === mostMarkers) return found;
      // Of a list the numbers alone are drawn as something else.
      const part = numbers.length > 1 ? { at: index + at, text: digits } : { at: index, text: whole };
      found.push({ ...part, length: part.text.length, number: Number(digits), citation });
    }
  }
  return found;
}

/** Farther from a claim than punctuation and other markers reach, a number in brackets is only text. */
const reachCharacters = 60;

/** What begins a mark's sign: no formula and no address goes beyond it. */
export const signStart = '\uE000';

/** Who writes a text does not know it, so that a text has no signs but those of its marks: its entities are read after them. */
const secret = String.fromCharCode(
  ...crypto.getRandomValues(new Uint16Array(6)).map((number) => 0xe002 + (number % 6_000)),
);
const open = signStart + secret;
const close = '\uE001';
const signs = new RegExp(`${open}(\\d+)${close}`);

/** The text with its marks as signs that the reader of markdown leaves alone. */
export function withSigns(whole: string, marks: readonly Mark[]): string {
  let text = '';
  let at = 0;
  marks.forEach((mark, i) => {
    text += whole.slice(at, mark.at) + open + i + close;
    at = mark.at + mark.length;
  });
  return text + whole.slice(at);
}

/** The pieces of a text between signs, and the signs' marks. */
export function splitSigns(text: string, marks: readonly Mark[]): (string | Mark)[] {
  return text
    .split(signs)
    .map((piece, i) => (i % 2 === 0 ? piece : (marks[Number(piece)] ?? '')))
    .filter((piece) => piece !== '');
}

/** The text as it was before it had signs. */
export const withoutSigns = (text: string, marks: readonly Mark[]): string =>
  splitSigns(text, marks)
    .map((piece) => (typeof piece === 'string' ? piece : piece.text))
    .join('');

/** A claim as it reads without its markers and signs of emphasis. */
export const withoutMarkers = (text: string): string =>
  text
    .replaceAll(/\s*\[\d{1,3}\]/g, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();

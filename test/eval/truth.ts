import type { Material } from './corpus/material.ts';
import { unitsOf } from './policy/units.ts';
import { bareText, figuresOf, namesOf, stemsOf } from './words.ts';

/** The share of a claim's words that a sentence must have. */
const sharedWords = 0.6;

/**
 * Whether a text states the claim: one of its lines has every figure and every name of it, and most of its words. No
 * model is asked, so a claim in wholly other words counts as unsupported.
 */
export function states(truth: string, claim: string): boolean {
  const figures = figuresOf(claim);
  const names = namesOf(claim).map((name) => name.toLowerCase());
  const stems = stemsOf(claim);
  const bare = bareText(claim);
  return truth.split('\n').some((line) => {
    if (bareText(line).includes(bare)) return true;
    const held = new Set(figuresOf(line));
    const lower = line.toLowerCase();
    if (!figures.every((figure) => held.has(figure)) || !names.every((name) => lower.includes(name)))
      return false;
    const words = new Set(stemsOf(line));
    return stems.filter((stem) => words.has(stem)).length >= stems.length * sharedWords;
  });
}

export interface Truths {
  /** Whether the source, an address or a filename, states the claim. An unknown source states nothing. */
  supports(source: string, claim: string): boolean;
  /** Whether the passage states the claim; without a passage, whether anything in the corpus does. */
  isTrue(claim: string, passage?: string): boolean;
}

/** The statements of a corpus, by the path or the filename of their material. */
export function truthsOf(materials: readonly Material[]): Truths {
  const byName = new Map(
    materials.flatMap(({ path, truth }) => [
      [path, truth],
      [path.split('/').at(-1)!, truth],
    ]),
  );
  const all = materials.map(({ truth }) => truth).join('\n');
  return {
    supports(source, claim) {
      const truth = byName.get(URL.parse(source)?.pathname ?? source);
      return truth !== undefined && states(truth, claim);
    },
    isTrue: (claim, passage) => states(passage === undefined ? all : linesOf(passage), claim),
  };
}

const linesOf = (passage: string): string =>
  unitsOf(passage)
    .map(({ searched }) => searched)
    .join('\n');

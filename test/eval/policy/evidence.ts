import type { Reading } from './conversation.ts';
import { type Unit, unitsOf } from './units.ts';
import { figuresOf, namesOf, stemsOf, withoutAddresses } from './words.ts';

export interface Evidence {
  unit: Unit;
  reading: Reading;
}

export interface Findings {
  /** One for each step of the question, in order; with several, sources contradict each other. */
  steps: readonly (readonly Evidence[])[];
  /** Words of the question that nothing found yet speaks of. */
  open: readonly string[];
  /** The names that the next step is about. */
  names: readonly string[];
}

/** What a question asks for: its words, without names and addresses. */
export function asked(question: string): { names: string[]; words: string[] } {
  const text = withoutAddresses(question).replaceAll(/"[^"]*"/g, ' ');
  const names = namesOf(text);
  const ofNames = new Set(names.flatMap(stemsOf));
  return { names, words: [...new Set(stemsOf(text))].filter((word) => !ofNames.has(word)) };
}

/**
 * Finds the sentence that speaks of the question's names and of most of its words. While words are left, it goes on from
 * the names that the sentence brings.
 */
export function gather(question: string, readings: readonly Reading[]): Findings {
  const all = readings.flatMap((reading) => unitsOf(reading.text).map((unit) => ({ unit, reading })));
  const { names: asks, words } = asked(question);
  const steps: Evidence[][] = [];
  const seen = new Set(asks);
  let names: readonly string[] = asks;
  let open = words;
  while (open.length > 0) {
    const needed = steps.length === 0 ? names.length : 1;
    const found = bestOf(all, names, needed, open);
    if (!found) break;
    steps.push(found.evidence);
    open = open.filter((word) => !found.words.has(word));
    const fresh = namesOf(found.evidence[0]!.unit.text).filter((name) => !seen.has(name));
    for (const name of fresh) seen.add(name);
    if (fresh.length > 0) names = fresh;
  }
  return { steps, open, names };
}

function bestOf(
  all: readonly Evidence[],
  names: readonly string[],
  needed: number,
  open: readonly string[],
): { evidence: Evidence[]; words: Set<string> } | undefined {
  let most = 0;
  let best: { evidence: Evidence; words: Set<string> }[] = [];
  for (const evidence of all) {
    const { searched } = evidence.unit;
    const held = names.filter((name) => searched.includes(name)).length;
    if (held < needed || held === 0) continue;
    const stems = new Set(stemsOf(searched));
    const words = new Set(open.filter((word) => stems.has(word)));
    if (words.size < most || words.size === 0) continue;
    if (words.size > most) best = [];
    most = words.size;
    best.push({ evidence, words });
  }
  const [first] = best;
  if (!first) return undefined;
  const evidence: Evidence[] = [];
  for (const one of best)
    if (!evidence.some((other) => saysTheSame(other, one.evidence))) evidence.push(one.evidence);
  return {
    evidence: evidence.filter(
      ({ reading }, i) => i === 0 || reading.source !== first.evidence.reading.source,
    ),
    words: first.words,
  };
}

const saysTheSame = (one: Evidence, other: Evidence): boolean =>
  figuresOf(one.unit.text).join() === figuresOf(other.unit.text).join();

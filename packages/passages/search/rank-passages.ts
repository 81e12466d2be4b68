import MiniSearch from 'minisearch';
import type { Passage } from '../passage.ts';
import { termsOf } from './terms.ts';
import { matchTerms, near, queryTerms } from './wanted-terms.ts';

const nearWeight = 0.4;
const headingsWeight = 1.5;

/** In a material of so many passages, a word that most of them have tells none of them from the others. */
const manyPassages = 100;
const commonShare = 0.5;

/**
 * The numbers of the passages that have words of each query, the best first (BM25+). The passages are read once and
 * only what the queries ask for is kept of them, so a material of any length is one collection, whose scores compare.
 */
export function rankPassages(passages: Iterable<Passage>, queries: readonly string[]): number[][] {
  const asked = queries.map(queryTerms);
  const match = matchTerms(asked.flat());
  /** How many passages have a term, and the last of them. */
  const found = new Map<string, { passages: number; last: number }>();
  let current = 0;
  const index = new MiniSearch<{ id: number; text: string; headings: string }>({
    fields: ['text', 'headings'],
    tokenize: termsOf,
    processTerm(word) {
      const term = match(word);
      if (term === undefined) return null;
      const { passages: count, last } = found.get(term) ?? { passages: 0, last: 0 };
      if (last !== current) found.set(term, { passages: count + 1, last: current });
      return term;
    },
    searchOptions: {
      tokenize: (query) => query.split(' '),
      processTerm: (term) => term,
      boost: { headings: headingsWeight },
      boostTerm: (term) => (term.startsWith(near) ? nearWeight : 1),
    },
  });
  for (const { number, text, headings } of passages) {
    current = number;
    index.add({ id: number, text, headings: headings.join('\n') });
  }
  const total = index.documentCount;
  const isRare = (term: string) => found.get(term)!.passages <= total * commonShare;
  return asked.map((terms) => {
    const known = terms.filter((term) => found.has(term));
    const rare = known.filter(isRare);
    const used = total >= manyPassages && rare.length > 0 ? rare : known;
    return used.length === 0 ? [] : index.search(used.join(' ')).map(({ id }) => id as number);
  });
}

import MiniSearch from 'minisearch';
import type { Passage } from '../passage.ts';
import { termsOf } from './terms.ts';
import { matchTerms, near, queryTerms } from './wanted-terms.ts';

const nearWeight = 0.4;
const headingsWeight = 1.5;

/**
 * The numbers of the passages that have words of each query, the best first (BM25+). The passages are read once and
 * only what the queries ask for is kept of them, so a material of any length is one collection, whose scores compare.
 */
export function rankPassages(passages: Iterable<Passage>, queries: readonly string[]): number[][] {
  const asked = queries.map(queryTerms);
  const match = matchTerms(asked.flat());
  const index = new MiniSearch<{ id: number; text: string; headings: string }>({
    fields: ['text', 'headings'],
    tokenize: termsOf,
    processTerm: (term) => match(term) ?? null,
    searchOptions: {
      tokenize: (query) => query.split(' '),
      processTerm: (term) => term,
      boost: { headings: headingsWeight },
      boostTerm: (term) => (term.startsWith(near) ? nearWeight : 1),
    },
  });
  for (const { number, text, headings } of passages)
    index.add({ id: number, text, headings: headings.join('\n') });
  return asked.map((terms) => index.search(terms.join(' ')).map(({ id }) => id as number));
}

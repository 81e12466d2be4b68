/** An index of texts for the search of the local site: BM25, with the usual constants. */
interface SearchIndex {
  /** The best so many, as indices into the indexed texts. */
  search(query: string, most: number): number[];
}

const saturation = 1.2;
const lengthWeight = 0.75;

const termsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function indexTexts(texts: readonly string[]): SearchIndex {
  const lengths: number[] = [];
  const postings = new Map<string, Map<number, number>>();
  for (const [index, text] of texts.entries()) {
    const terms = termsOf(text);
    lengths.push(terms.length);
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>();
      counts.set(index, (counts.get(index) ?? 0) + 1);
      postings.set(term, counts);
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return {
    search(query, most) {
      const scores = new Map<number, number>();
      for (const term of new Set(termsOf(query))) {
        const counts = postings.get(term);
        if (!counts) continue;
        const rarity = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [index, count] of counts) {
          const norm = saturation * (1 - lengthWeight + (lengthWeight * lengths[index]!) / average);
          scores.set(index, (scores.get(index) ?? 0) + (rarity * count * (saturation + 1)) / (count + norm));
        }
      }
      return [...scores]
        .toSorted(([a, first], [b, second]) => second - first || a - b)
        .slice(0, most)
        .map(([index]) => index);
    },
  };
}

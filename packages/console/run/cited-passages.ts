import { type Citation, type Mark, withoutMarkers } from '../markdown/marks.ts';

/** A passage of a source, with all claims that rest on it. */
export interface CitedPassage {
  source: Citation;
  /** The source's number in the answer, where a marker says it. */
  number?: number;
  claims: { text: string; support?: number }[];
}

/** The citations by passage, in the order in which the answer comes to them. */
export function citedPassages(
  answer: string,
  citations: readonly Citation[],
  marks: readonly Mark[],
): CitedPassage[] {
  const passages = new Map<string, CitedPassage>();
  citations.forEach((citation, i) => {
    const key = passageKey(citation);
    const number = marks.find((mark) => mark.citation === i)?.number;
    const passage = passages.get(key) ?? {
      source: citation,
      number,
      claims: [],
    };
    const { startIndex, endIndex, support } = citation;
    passage.claims.push({
      text: withoutMarkers(answer.slice(startIndex, endIndex)),
      support,
    });
    passages.set(key, passage);
  });
  return [...passages.values()];
}

const passageKey = (citation: Citation): string =>
  JSON.stringify([citation.type === 'url_citation' ? citation.url : citation.filename, citation.passage]);

/** Which of the passages the citation is of. */
export const passageOf = (citations: readonly Citation[], citation: number): number =>
  [...new Set(citations.map(passageKey))].indexOf(passageKey(citations[citation]!));

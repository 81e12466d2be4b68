/** A claim of an answer, with the sources that it cites. */
interface CitedClaim {
  text: string;
  sources: readonly string[];
}

/** A citation as a run shows it. */
export interface Citation {
  type: string;
  url?: string;
  filename?: string;
  startIndex: number;
  endIndex: number;
}

const mark = /\s*\[(\d+)\]/g;

/** The cited claims of a run: by its citations if it has some, else by the numbers and the list of sources in its answer. */
export function citedClaims(answer: string, citations: readonly Citation[] | undefined): CitedClaim[] {
  if (!citations || citations.length === 0) return claimsByNumber(answer);
  return citations.map(({ startIndex, endIndex, url, filename }) => ({
    text: answer.slice(startIndex, endIndex).replaceAll(mark, ''),
    sources: [url ?? filename ?? ''],
  }));
}

function claimsByNumber(answer: string): CitedClaim[] {
  const [prose = '', list = ''] = answer.split(/\n+Sources:\n/i);
  const sources = new Map(
    [...list.matchAll(/^\[(\d+)\]\s+(\S+)/gm)].map(([, number, source = '']) => [number, source]),
  );
  const sentences = prose.match(/[^\n]+?[.!?](?:\s*\[\d+\])*(?=\s|$)|[^\n]+/g) ?? [];
  return sentences.flatMap((sentence) => {
    const numbers = [...sentence.matchAll(mark)].map(([, number]) => number);
    if (numbers.length === 0) return [];
    return [
      { text: sentence.replaceAll(mark, '').trim(), sources: numbers.flatMap((n) => sources.get(n) ?? []) },
    ];
  });
}

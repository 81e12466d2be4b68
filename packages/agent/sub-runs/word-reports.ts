import { limits } from '@errand/platform';
import { findMarkers } from '../citations/markers.ts';
import { cutText } from '../context/size.ts';
import type { FoundSource, Source } from '../data.ts';
import type { SubRunEnd } from '../deps.ts';
import { addressName } from '../sources/number-sources.ts';
import type { ToolAnswer } from '../tool.ts';

/** What became of a question that was to be worked on. */
export interface Reported {
  question: string;
  /** Why it was not worked on. */
  problem?: string;
  end?: SubRunEnd;
}

/** The report as far as it is read, with those of its sources that it cites. */
export interface Report {
  question: string;
  text: string;
  cited: readonly Source[];
  isOutside: boolean;
}

/** A report of at most so many characters. What failed becomes a text that says so. */
export function reportOf({ question, problem, end }: Reported, mostCharacters: number): Report {
  const failed = (why: string): Report => ({
    question,
    text: `Error: ${why}`,
    cited: [],
    isOutside: end?.guarded.outsideSince !== undefined,
  });
  if (problem !== undefined || !end) return failed(problem ?? 'It was not done in time, and was cancelled.');
  if (end.status !== 'succeeded') return failed(end.text);
  const text = cutText(end.text, Math.min(limits.subRunReportCharacters, mostCharacters));
  const known = new Set(end.sources.map(({ number }) => number));
  const numbers = new Set(findMarkers(text, known).flatMap((marker) => marker.numbers));
  const cited = end.sources.filter(({ number }) => numbers.has(number));
  return { question, text, cited, isOutside: end.guarded.outsideSince !== undefined };
}

/** The answer of the call: the reports, whose sources the run numbers as its own. `sources` are those of `cited` of each report, in their order. */
export function reportsAnswer(
  reports: readonly Report[],
  sources: readonly FoundSource[],
): ToolAnswer & Required<Pick<ToolAnswer, 'cited'>> {
  const write = (numbers: readonly number[]): string => {
    let from = 0;
    return reports
      .map(({ question, text, cited }, i) => {
        const own = new Map(cited.map((source, at) => [source.number, numbers[from + at] ?? 0]));
        from += cited.length;
        return `Report ${i + 1} on: ${beginningOf(question)}\n\n${renumbered(text, own)}`;
      })
      .join('\n\n---\n\n');
  };
  return {
    text: write(sources.map((_, i) => i + 1)),
    isOutside: reports.some(({ isOutside }) => isOutside),
    cited: { sources, text: write },
  };
}

const headingCharacters = 200;

/** The model has the whole question in its call. */
const beginningOf = (question: string): string =>
  question.length <= headingCharacters ? question : `${question.slice(0, headingCharacters).toWellFormed()}…`;

/**
 * The text with the numbers of the run in its markers. A source without a number is not cited. A number of no source of the report would be
 * that of any source of the run: it is written so that it cites none.
 */
function renumbered(text: string, numbers: ReadonlyMap<number, number>): string {
  let written = '';
  let end = 0;
  for (const { startIndex, endIndex, numbers: said } of findMarkers(text)) {
    const own = said.flatMap((each) => numbers.get(each) ?? []);
    const cited = [...new Set(own)].filter((each) => each > 0).map((each) => `[${each}]`);
    written += text.slice(end, startIndex);
    written += own.length > 0 ? cited.join('') : `(${text.slice(startIndex + 1, endIndex - 1)})`;
    end = endIndex;
  }
  return written + text.slice(end);
}

/** Names what is the same source for the run. */
export const nameOfSource = ({ url, filename }: FoundSource): string =>
  url === undefined ? `file:${filename}` : addressName(url);

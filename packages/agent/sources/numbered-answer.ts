import type { FoundSource } from '../data.ts';
import type { ToolAnswer } from '../tool.ts';
import { numberMark } from './number-sources.ts';

/** A text from one source, under a line with the source's number and name. */
export function numberedAnswer(
  source: FoundSource,
  body: string,
  name = nameOf(source),
): Required<Pick<ToolAnswer, 'text' | 'cited'>> {
  const head = source.title === undefined ? name : `${source.title}\n${name}`;
  const write = (numbers: readonly number[]) => `${numberMark(numbers[0])}${head}\n\n${body}`;
  return { text: write([1]), cited: { sources: [source], text: write } };
}

const nameOf = ({ url, filename }: FoundSource): string => url ?? filename ?? '';

import { findQuotes } from '../quote.ts';
import { isError, type Report } from './behaviour.ts';

/** The number, title and address of a source, which Errand's agent puts in front of its text. */
const numberedHead = /^\[(\d+)\] [^\n]*\n(?:[^\n]+\n)?\n/;

/** What stands around the passages of a long text: how many there are, the outline, and how to read on. */
const frame =
  /^\[Outline[^\n]*\](?:\n *\d+: [^\n]*)*$|^\[(?:Passage \d|This material|To (?:see|read)|There is|This was)[^\n]*\]$/gm;

/** The number of a source in the heading of a text that came with the question. */
const namedNumber = /, source \[(\d+)\]/;

/** Quotes the sentences that fit the question, or says why the source could not be read. */
export function reportReading(named: string, text: string, question: string): Report {
  const source = named.replace(namedNumber, '');
  if (isError(text)) return { text: `I could not read ${source}: ${text.trim()}` };
  const [head = '', number = namedNumber.exec(named)?.[1]] = numberedHead.exec(text) ?? [];
  const quotes = findQuotes(text.slice(head.length).replaceAll(frame, ''), question);
  if (quotes.length === 0) return { text: `There is no text in ${source}.` };
  const marker = number === undefined ? '' : ` [${number}]`;
  const lines = quotes.map((quote) => `"${quote}"${marker}`);
  return {
    text: lines.length === 1 ? lines.join() : lines.map((line) => `- ${line}`).join('\n'),
    aside: `From ${source}, what shares most words with the question:\n`,
  };
}

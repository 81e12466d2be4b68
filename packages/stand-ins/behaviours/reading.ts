import { findQuotes, inQuotationMarks } from '../quote.ts';
import { isError, type Report } from './behaviour.ts';

/** Quotes the sentences that fit the question, or says why the source could not be read. */
export function reportReading(source: string, text: string, question: string): Report {
  if (isError(text)) return { text: `I could not read ${source}: ${text.trim()}` };
  const quotes = findQuotes(text, question);
  if (quotes.length === 0) return { text: `There is no text in ${source}.` };
  return {
    text: inQuotationMarks(quotes),
    aside: `From ${source}, the passage that shares most words with the question:`,
  };
}

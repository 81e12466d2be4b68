import { stemsOf } from '../words.ts';
import type { Conversation, MadeCall } from './conversation.ts';
import { asked, type Findings } from './evidence.ts';
import { foundAddresses } from './search-results.ts';
import type { Tools } from './tools.ts';

export type Call = Pick<MadeCall, 'name' | 'args'>;

const readAtOnce = 3;
const furtherReads = 4;
const documentEnding = /\.(?:pdf|docx|pptx|xlsx|odt|ods|odp|rtf|epub|csv|tsv|txt|md|json|xml|html?)$/i;

/** What to call next to find what is still open. Nothing: there is no more to try. */
export function nextReads(talk: Conversation, findings: Findings, tools: Tools): Call[] {
  if (findings.open.length === 0) return [];
  const query = queryOf(talk, findings);
  if (talk.given.length > 0) return readGiven(talk, query, tools);
  const searched = talk.calls.find(({ name, args }) => name === 'web_search' && args.query === query);
  if (!searched) return tools.has('web_search') ? [{ name: 'web_search', args: { query } }] : [];
  const best = foundAddresses(searched.result ?? '').slice(0, readAtOnce);
  const unread = best.filter((address) => !readsOf(talk, address).length);
  if (unread.length > 0) return unread.map((address) => readCall(tools, address, query));
  return best.flatMap((address) => readOn(talk, address, query, tools).slice(0, 1));
}

/** Names first, then the words of the question that are still open, as the question has them. */
function queryOf({ question }: Conversation, { names, open }: Findings): string {
  const words = question.match(/\p{L}+|\d[\d,.]*\d|\d/gu) ?? [];
  const wanted = words.filter((word) => stemsOf(word).some((stem) => open.includes(stem)));
  return [...new Set([...names, ...wanted])].join(' ');
}

function readGiven(talk: Conversation, query: string, tools: Tools): Call[] {
  for (const source of talk.given) {
    const isAddress = /^https?:/.test(source);
    if (!isAddress && !tools.takes('document_parse', 'query')) continue;
    if (readsOf(talk, source).length === 0) return [readCall(tools, source, query)];
    const further = readOn(talk, source, query, tools);
    if (further.length > 0) return further.slice(0, 1);
  }
  return [];
}

const readsOf = (talk: Conversation, source: string): readonly MadeCall[] =>
  talk.calls.filter(({ args }) => args.url === source);

function readCall(tools: Tools, source: string, query: string): Call {
  const isPage = /^https?:/.test(source) && !documentEnding.test(URL.parse(source)?.pathname ?? '');
  const name = isPage ? 'web_crawl' : 'document_parse';
  return { name, args: { url: source, ...(tools.takes(name, 'query') && { query }) } };
}

/** Reads a material again: for other words, then from the passage after the last one that was shown. */
function readOn(talk: Conversation, source: string, query: string, tools: Tools): Call[] {
  const made = readsOf(talk, source);
  const last = made.at(-1);
  if (!last || made.length > furtherReads || last.result?.startsWith('Error:')) return [];
  const { name } = last;
  const { names } = asked(talk.question);
  const queries = tools.takes(name, 'query') ? [query, names.join(' ')] : [];
  const unasked = queries.find((one) => one !== '' && !made.some(({ args }) => args.query === one));
  if (unasked !== undefined) return [{ name, args: { url: source, query: unasked } }];
  const from = tools.takes(name, 'from') ? lastPassage(last.result ?? '') + 1 : 1;
  if (from <= 1 || made.some(({ args }) => args.from === from)) return [];
  return [{ name, args: { url: source, from } }];
}

/** The last passage that a result shows, by the number that it gives to read on, or by the passages themselves. */
function lastPassage(result: string): number {
  const next = /\(from: (\d+)\)/.exec(result)?.[1];
  if (next !== undefined) return Number(next) - 1;
  return Math.max(0, ...[...result.matchAll(/^\[Passage (\d+)/gm)].map(([, number]) => Number(number)));
}

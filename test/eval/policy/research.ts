import type { Conversation, MadeCall } from './conversation.ts';
import { type Inquiry, namesAsked } from './inquiry.ts';
import type { Instructions } from './instructions.ts';
import type { Noise } from './noise.ts';
import { foundAddresses } from './search-results.ts';
import type { Tools } from './tools.ts';

export type Call = Pick<MadeCall, 'name' | 'args'>;

/** What the policy does next: calls, with what it writes down beside them, or its answer. */
export type Plan = { calls: Call[]; note?: string } | { answer: string };

interface Means {
  tools: Tools;
  instructions: Instructions;
  noise: Noise;
}

const readAtOnce = 3;
/** How far down a list of results it reads. */
const mostRead = 6;
const furtherReads = 4;
/** The most searches: where it was told to stop, and where it was not. */
const mostSearches = { told: 3, untold: 5 } as const;
const documentEnding = /\.(?:pdf|docx|pptx|xlsx|odt|ods|odp|rtf|epub|csv|tsv|txt|md|json|xml|html?)$/i;

/** What to call next to find what is still open. Nothing: there is no more to try. */
export function nextReads(talk: Conversation, inquiry: Inquiry, means: Means): Call[] {
  const { tools, instructions } = means;
  if (!instructions.usesTools) return [];
  if (inquiry.isComplete) return instructions.compares ? secondReads(talk, inquiry, means) : [];
  if (talk.given.length > 0) return readGiven(talk, inquiry, means);
  const searches = searchesOf(talk, tools);
  const last = searches.at(-1);
  const wasForThis = last !== undefined && inquiry.wordings.some((one) => asksFor(last, one));
  if (!wasForThis) return search(searches, inquiry, means);
  const unread = unreadOf(talk, last).slice(0, instructions.atOnce ? readAtOnce : 1);
  if (unread.length > 0) return unread.map((address) => readCall(tools, address, inquiry.wordings));
  const best = bestOf(last);
  const further = best.flatMap((address) => readOn(talk, address, inquiry, tools).slice(0, 1));
  return further.length > 0 ? further : search(searches, inquiry, means);
}

/** The rest of the best results, where one page has answered: another may say it otherwise. */
function secondReads(talk: Conversation, inquiry: Inquiry, { tools, instructions }: Means): Call[] {
  const last = searchesOf(talk, tools).at(-1);
  if (!last || !('found' in inquiry) || inquiry.found.at(-1)?.sense.value !== 'figure') return [];
  const sources = new Set(inquiry.found.at(-1)?.findings.map(({ reading }) => reading.source));
  if (sources.size > 1) return [];
  const unread = unreadOf(talk, last).slice(0, instructions.atOnce ? readAtOnce : 1);
  return unread.map((address) => readCall(tools, address, [`${inquiry.found.at(-1)?.subject}`]));
}

export const searchesOf = ({ calls }: Conversation, tools: Tools): readonly MadeCall[] => {
  const name = tools.named('search') ?? 'web_search';
  return calls.filter((call) => call.name === name && queriesOf(call).length > 0);
};

export const queriesOf = ({ args: { query, queries } }: Call): string[] =>
  [query, queries].flat().filter((one) => typeof one === 'string');

export const asksFor = (call: Call, wording: string): boolean =>
  queriesOf(call).some((one) => wording.endsWith(one) || one === wording);

const bestOf = ({ result = '' }: MadeCall): string[] => foundAddresses(result).slice(0, mostRead);

const unreadOf = (talk: Conversation, search: MadeCall): string[] =>
  bestOf(search).filter((address) => readsOf(talk, address).length === 0);

function search(
  searches: readonly MadeCall[],
  inquiry: Inquiry,
  { tools, instructions, noise }: Means,
): Call[] {
  const name = tools.named('search');
  const most = instructions.stops ? mostSearches.told : mostSearches.untold;
  if (name === undefined || searches.length >= most) return [];
  const untried = inquiry.wordings.filter((one) => !searches.some((made) => queriesOf(made).includes(one)));
  const [first] = untried;
  if (first === undefined) return [];
  const [subject = ''] = inquiry.names;
  const isBad = noise.happens('badQuery', searches.length);
  const spoilt = (wording: string) => (isBad ? wording.replace(subject, '').trim() || wording : wording);
  return tools.takesList(name, 'queries')
    ? [{ name, args: { queries: untried.slice(0, readAtOnce).map(spoilt) } }]
    : [{ name, args: { query: spoilt(first) } }];
}

function readGiven(talk: Conversation, inquiry: Inquiry, { tools }: Means): Call[] {
  for (const source of talk.given) {
    const isAddress = /^https?:/.test(source);
    const read = readCall(tools, source, inquiry.wordings);
    if (!isAddress && !tools.takes(read.name, 'query')) continue;
    if (readsOf(talk, source).length === 0) return [read];
    const further = readOn(talk, source, inquiry, tools);
    if (further.length > 0) return further.slice(0, 1);
  }
  return [];
}

const readsOf = (talk: Conversation, source: string): readonly MadeCall[] =>
  talk.calls.filter(({ args }) => args.url === source);

function readCall(tools: Tools, source: string, wordings: readonly string[]): Call {
  const isPage = /^https?:/.test(source) && !documentEnding.test(URL.parse(source)?.pathname ?? '');
  const name = tools.named(isPage ? 'page' : 'document') ?? '';
  return { name, args: { url: source, ...queryFor(tools, name, wordings) } };
}

/** The words to look for, as the tool takes them: all wordings, or one. */
function queryFor(tools: Tools, name: string, wordings: readonly string[]): { query?: string | string[] } {
  const [first] = wordings;
  if (first === undefined || !tools.takes(name, 'query')) return {};
  return { query: tools.takesList(name, 'query') ? wordings.slice(0, readAtOnce) : first };
}

/** Reads a long material again: for other words, then from the passage after the last one that was shown. */
function readOn(talk: Conversation, source: string, { wordings }: Inquiry, tools: Tools): Call[] {
  const made = readsOf(talk, source);
  const last = made.at(-1);
  if (!last || made.length > furtherReads || last.result?.startsWith('Error:')) return [];
  const { name, result = '' } = last;
  if (!/^\[Passage \d|^\[This material has|more characters were cut|was left out/m.test(result)) return [];
  const isAsked = (one: string) => made.some(({ args }) => [args.query].flat().includes(one));
  const all = [...wordings, namesAsked(talk.question).join(' ')];
  const unasked = tools.takes(name, 'query') ? all.filter((one) => one !== '' && !isAsked(one)) : [];
  if (unasked.length > 0) return [{ name, args: { url: source, ...queryFor(tools, name, unasked) } }];
  const from = tools.takes(name, 'from') ? lastPassage(result) + 1 : 1;
  if (from <= 1 || made.some(({ args }) => args.from === from)) return [];
  return [{ name, args: { url: source, from } }];
}

/** The last passage that a result shows, by the number that it gives to read on, or by the passages themselves. */
function lastPassage(result: string): number {
  const next = /\(from: (\d+)\)/.exec(result)?.[1];
  if (next !== undefined) return Number(next) - 1;
  return Math.max(0, ...[...result.matchAll(/^\[Passage (\d+)/gm)].map(([, number]) => Number(number)));
}

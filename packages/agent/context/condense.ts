import type { ToolCall } from '@errand/models';
import type { AssistantMessage, ToolMessage } from '../data.ts';
import { isOutsideMarked, markOutside, unmarkOutside } from '../outside/material.ts';

/** What tells which pieces of an old result the run still needs. */
export interface Interest {
  question: string;
  /** What the model has written, by the number of the source that it cites there. */
  cited: ReadonlyMap<number, readonly string[]>;
  /** The call that asked for the result. */
  call: ToolCall['function'] | undefined;
}

/** A result with less of its text, and how many characters were left out of it. */
export interface Condensed {
  message: ToolMessage;
  leftOut: number;
}

/** A result with fewer characters is not condensed. */
const shortCharacters = 600;
/** The most characters that are kept of one result. */
const keptCharacters = 1_500;
/** The calls and results of these tools are searched for values and links, which must not leave in an address. */
const neverCondensed: ReadonlySet<string> = new Set(['save_data', 'read_data', 'save_file']);
/** These tools show other parts of their source when they are asked for them. */
const reading: ReadonlySet<string> = new Set(['web_crawl', 'document_parse', 'audio_transcribe']);

/** Keeps the passages of a result that were cited or asked for, and a line that says what else it had. Undefined if the result stays as it is. */
export function condenseResult(message: ToolMessage, interest: Interest): Condensed | undefined {
  if (mustStay(message, interest)) return undefined;
  const text = unmarkOutside(message.content);
  if (text.length <= shortCharacters) return undefined;
  const kept = bestPieces(piecesOf(text), interest);
  const leftOut = text.length - kept.reduce((total, { length }) => total + length, 0);
  return condensed(message, [...kept, describe(beginningOf(text), leftOut, interest)], leftOut);
}

/** Leaves no more of a result than the line. `before` is what was left out of it already. */
export function leaveOut(message: ToolMessage, interest: Interest, before: number): Condensed | undefined {
  if (mustStay(message, interest)) return undefined;
  const text = unmarkOutside(message.content);
  if (text.length <= shortCharacters && before === 0) return undefined;
  // The last paragraph of a condensed result is its line.
  const kept = before === 0 ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n\n')));
  const leftOut = before + kept.length;
  return condensed(message, [describe(beginningOf(kept || text), leftOut, interest)], leftOut);
}

const mustStay = (message: ToolMessage, { call }: Interest): boolean =>
  neverCondensed.has(call?.name ?? '') || message.content.startsWith('Error:');

function condensed(message: ToolMessage, parts: readonly string[], leftOut: number): Condensed {
  const text = parts.join('\n\n');
  const content = isOutsideMarked(message.content) ? markOutside(text) : text;
  return { message: { ...message, content }, leftOut };
}

const beginningOf = (text: string): string =>
  text
    .trimStart()
    .slice(0, 160)
    .split('\n\n', 1)[0]!
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[[\]]/g, '')
    .toWellFormed();

function describe(beginning: string, characters: number, { call }: Interest): string {
  const how = reading.has(call?.name ?? '') ? ', with a query for the part that is needed' : '';
  const again = call ? ` Call ${call.name} again for it${how}.` : '';
  return `[The rest of this result was left out to fit the model's context: ${characters} characters. It began: ${JSON.stringify(beginning)}.${again}]`;
}

/** Passages, search results or paragraphs. What is very long is cut into lines. */
const piecesOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .flatMap((piece) =>
      piece.length > keptCharacters ? (piece.match(/[^\n]{1,600}(?:\n|$)|[^\n]{600}/g) ?? []) : [piece],
    )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** The first piece, which says what the result is, and those that have most words of what was cited and asked for. */
function bestPieces(pieces: readonly string[], { question, cited, call }: Interest): string[] {
  const first = pieces[0] ?? '';
  const number = Number(/^\[(\d{1,3})\]/.exec(first)?.[1] ?? 0);
  const wanted = new Map([...wordsOf(`${queryOf(call)} ${question}`)].map((word) => [word, 1]));
  for (const word of wordsOf((cited.get(number) ?? []).join(' '))) wanted.set(word, 3);
  const ranked = pieces
    .map((piece, at) => ({ piece, at, score: scoreOf(piece, wanted) }))
    .filter(({ at, score }) => at > 0 && score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at);
  const kept = [{ piece: first.slice(0, 300), at: 0 }];
  let left = keptCharacters - first.slice(0, 300).length;
  for (const { piece, at } of ranked) {
    if (piece.length > left) continue;
    left -= piece.length;
    kept.push({ piece, at });
  }
  return kept.sort((one, other) => one.at - other.at).map(({ piece }) => piece.toWellFormed());
}

function queryOf(call: Interest['call']): string {
  try {
    const { query, queries } = JSON.parse(call?.arguments ?? '{}') as Record<string, unknown>;
    return [query, queries]
      .flat()
      .filter((one) => typeof one === 'string')
      .join(' ');
  } catch {
    return '';
  }
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 || /\d/.test(word)),
  );

function scoreOf(piece: string, wanted: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const word of wordsOf(piece)) score += wanted.get(word) ?? 0;
  return score;
}

const keptOfArgument = 400;
const argumentNote = "more characters were left out to fit the model's context]";

/** Shortens long texts in the arguments of old calls, such as the content of a file that was saved. */
export const condenseCalls = (message: AssistantMessage): AssistantMessage =>
  message.tool_calls ? { ...message, tool_calls: message.tool_calls.map(shortenArguments) } : message;

function shortenArguments(call: ToolCall): ToolCall {
  const { name, arguments: json } = call.function;
  // Addresses are searched for saved values, so these stay whole.
  if (json.length <= 2 * keptOfArgument || name === 'save_data') return call;
  try {
    const shortened = JSON.stringify(JSON.parse(json), (_, value: unknown) =>
      typeof value === 'string' ? shorten(value) : value,
    );
    return { ...call, function: { name, arguments: shortened } };
  } catch {
    return call;
  }
}

function shorten(text: string): string {
  if (text.length <= 2 * keptOfArgument || text.endsWith(argumentNote)) return text;
  return `${text.slice(0, keptOfArgument)} [${text.length - keptOfArgument} ${argumentNote}`.toWellFormed();
}

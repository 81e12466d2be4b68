import type { ToolCall } from '@errand/models';
import { isOutsideMarked, markOutside, unmarkOutside } from '../outside/material.ts';
import type { ConversationMessage } from '../state.ts';

/** What tells which pieces of an old result the run still needs. */
export interface Interest {
  question: string;
  /** What the model has written so far. */
  written: readonly string[];
  /** The call that asked for the result. */
  call: ToolCall['function'] | undefined;
}

/** A result with fewer characters is not condensed. */
const shortCharacters = 600;
/** What is kept of one result. */
const keptCharacters = 1_500;
/** Values and links are looked for in what these tools were told and answered, so that they do not leave in an address. */
const neverCondensed: ReadonlySet<string> = new Set(['save_data', 'read_data', 'save_file']);
/** These show other parts of what they read when they are asked for them. */
const reading: ReadonlySet<string> = new Set(['web_crawl', 'document_parse', 'audio_transcribe']);

const note = /\n?\[[^\n]*left out to fit the model's context[^\n]*\]$/;

export const isCondensed = ({ content, ...message }: ConversationMessage): boolean =>
  note.test(unmarkOutside(content ?? '')) ||
  (message.role === 'assistant' &&
    message.tool_calls?.some((call) => call.function.arguments.includes(argumentNote)) === true);

/** Keeps the passages of an old result that were cited or asked for, and a line that says what else it had. */
export function condenseResult(message: ConversationMessage, interest: Interest): ConversationMessage {
  if (message.role !== 'tool' || mustStay(message, interest)) return message;
  const text = unmarkOutside(message.content);
  if (text.length <= shortCharacters || note.test(text)) return message;
  const pieces = piecesOf(text);
  const kept = bestPieces(pieces, interest);
  return remark(message, [...kept, describe(text, text.length - sum(kept), interest)].join('\n\n'));
}

/** Leaves no more of a result than the line. */
export function leaveOut(message: ConversationMessage, interest: Interest): ConversationMessage {
  if (message.role !== 'tool' || mustStay(message, interest)) return message;
  const text = unmarkOutside(message.content);
  if (text.length <= shortCharacters && !note.test(text)) return message;
  const before = Number(/: ([\d]+) characters/.exec(note.exec(text)?.[0] ?? '')?.[1] ?? 0);
  return remark(message, describe(text, before + text.replace(note, '').length, interest));
}

const argumentNote = "more characters were left out to fit the model's context";
const argumentCharacters = 400;

/** Shortens long texts in the arguments of old calls, such as the content of a file that was saved. */
export function condenseCall(message: ConversationMessage): ConversationMessage {
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map(shortenArguments) };
}

function shortenArguments(call: ToolCall): ToolCall {
  const { name, arguments: json } = call.function;
  if (json.length <= 2 * argumentCharacters || name === 'save_data') return call;
  try {
    const shortened = JSON.stringify(JSON.parse(json), (_, value: unknown) =>
      typeof value === 'string' &&
      value.length > 2 * argumentCharacters &&
      !value.endsWith(`${argumentNote}]`)
        ? `${value.slice(0, argumentCharacters)} [${value.length - argumentCharacters} ${argumentNote}]`.toWellFormed()
        : value,
    );
    return { ...call, function: { name, arguments: shortened } };
  } catch {
    return call;
  }
}

const mustStay = (message: ConversationMessage & { role: 'tool' }, { call }: Interest): boolean =>
  neverCondensed.has(call?.name ?? '') || message.content.startsWith('Error:');

const remark = (message: ConversationMessage & { role: 'tool' }, content: string): ConversationMessage => ({
  ...message,
  content: isOutsideMarked(message.content) ? markOutside(content) : content,
});

function describe(text: string, characters: number, { call }: Interest): string {
  const about = text.replace(note, '').trim().split('\n\n', 1)[0]!.slice(0, 160).replaceAll(/\s+/g, ' ');
  const how = reading.has(call?.name ?? '') ? ', with a query for the part that is needed' : '';
  const again = call ? ` Call ${call.name} again for it${how}.` : '';
  return `[The rest of this result was left out to fit the model's context: ${characters} characters. It began: ${JSON.stringify(about.replaceAll(/[[\]]/g, ''))}.${again}]`;
}

const sum = (texts: readonly string[]) => texts.reduce((total, { length }) => total + length, 0);

/** Passages, search results or paragraphs. What is very long is cut into lines. */
const piecesOf = (text: string): string[] =>
  text
    .split(/\n\s*\n(?=\[(?:Passage )?\d)|\n\s*\n/)
    .flatMap((piece) =>
      piece.length > keptCharacters ? (piece.match(/[^\n]{1,600}(?:\n|$)|[^\n]{600}/g) ?? []) : [piece],
    )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** The first piece, which says what the result is, and those that have most words of what was cited and asked for. */
function bestPieces(pieces: readonly string[], { question, written, call }: Interest): string[] {
  const first = pieces[0] ?? '';
  const number = /^\[(\d+)\]/.exec(first)?.[1];
  const cited = number === undefined ? [] : written.flatMap((text) => citing(text, number));
  const asked = wordsOf(`${queryOf(call)} ${question}`);
  const wanted = new Map([...asked].map((word) => [word, 1]));
  for (const word of wordsOf(cited.join(' '))) wanted.set(word, 3);
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

const queryOf = (call: Interest['call']): string =>
  /"query":"((?:[^"\\]|\\.)*)"/.exec(call?.arguments ?? '')?.[1] ?? '';

/** The lines that cite the source of this number. */
const citing = (text: string, number: string): string[] =>
  text.split('\n').filter((line) => new RegExp(`\\[[\\d, ]*\\b${number}\\b[\\d, ]*\\]`).test(line));

const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2 || /\d/.test(word)),
  );

function scoreOf(piece: string, wanted: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const word of wordsOf(piece)) score += wanted.get(word) ?? 0;
  return score;
}

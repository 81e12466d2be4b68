import { type ModelUpstream, UpstreamError } from '@errand/models';
import { answerSheet, placeholders, possibleLabels, sheetHeading, slotText } from './prompt.ts';
import { tokenize } from './tokenize.ts';

interface Label {
  text: string;
  id: number;
}

/** How a server's tokenizer splits the answer sheet. */
export interface Vocabulary {
  /** Labels that are one token in a slot, each a different one. */
  labels: Label[];
  /** Fills the slots, and differs from all labels. */
  placeholder: Label;
  /** The tokens before every label. */
  separator: number[];
  /** A cache of the answer sheets' tokens, by number of questions. */
  sheets: Map<number, number[]>;
}

const cache = new WeakMap<ModelUpstream, Promise<Vocabulary>>();

/** The vocabulary of the upstream's tokenizer. It is read once per upstream and kept; a failure is not kept. */
export function vocabularyOf(upstream: ModelUpstream): Promise<Vocabulary> {
  const cached = cache.get(upstream);
  if (cached) return cached;
  const reading = readVocabulary(upstream);
  cache.set(upstream, reading);
  reading.catch(() => cache.delete(upstream));
  return reading;
}

/** Call this when the server turns out to have another tokenizer than before. */
export const forgetVocabulary = (upstream: ModelUpstream): void => void cache.delete(upstream);

async function readVocabulary(upstream: ModelUpstream): Promise<Vocabulary> {
  const idsOf = async (slots: readonly string[]) => {
    const text = sheetHeading + slots.map((label) => slotText(1, label)).join('');
    return (await tokenize(upstream, { text, special: false })).ids;
  };
  const [first, second, all, ...signs] = await Promise.all([
    idsOf(Array<string>(repetitions).fill('A')),
    idsOf(Array<string>(repetitions).fill('B')),
    // Many tokenizers join the heading's colon to the line end of the first slot, so the first slot is not used.
    idsOf(['A', ...possibleLabels]),
    ...placeholders.map((sign) => idsOf(['A', 'A', sign, 'A'])),
  ]);
  const separator = commonStart(repeatedPart(first), repeatedPart(second));
  const segments = splitBy(all, separator).slice(-possibleLabels.length);
  if (separator.length === 0 || segments.length !== possibleLabels.length)
    throw new UpstreamError('misconfigured');
  const single = possibleLabels.flatMap((text, index) => singleToken(text, segments[index]));
  const uses = Map.groupBy(single, ({ id }) => id);
  const labels = single.filter(({ id }) => uses.get(id)?.length === 1);
  // The tokenizer may join a placeholder to the line end after it. Such a placeholder would swallow the next separator.
  const fitting = placeholders.flatMap((text, index) => {
    const [sign, next] = splitBy(signs[index] ?? [], separator).slice(-2);
    return next?.length === 1 ? singleToken(text, sign) : [];
  });
  const placeholder = fitting.find(({ id }) => !uses.has(id)) ?? labels.pop();
  if (!placeholder) throw new UpstreamError('misconfigured');
  return { labels, placeholder, separator, sheets: new Map() };
}

const singleToken = (text: string, ids: readonly number[] = []): Label[] =>
  ids.length === 1 && ids[0] !== undefined ? [{ text, id: ids[0] }] : [];

/** The tokens of an answer sheet without the prompt before it. */
export async function tokenizeSheet(
  upstream: ModelUpstream,
  { sheets, placeholder }: Vocabulary,
  questions: number,
  signal: AbortSignal,
): Promise<number[]> {
  const cached = sheets.get(questions);
  if (cached) return cached;
  const text = answerSheet(questions, placeholder.text);
  const { ids } = await tokenize(upstream, { text, special: false }, signal);
  sheets.set(questions, ids);
  return ids;
}

const repetitions = 4;
const longestPart = 16;

/** The shortest sequence of tokens that the ids repeat three times at their end. */
function repeatedPart(ids: readonly number[]): number[] {
  for (let length = 1; length <= longestPart; length++) {
    const tail = ids.slice(-3 * length);
    if (tail.length === 3 * length && tail.every((id, index) => id === tail[index % length]))
      return tail.slice(0, length);
  }
  throw new UpstreamError('misconfigured');
}

function commonStart(one: readonly number[], other: readonly number[]): number[] {
  const end = one.findIndex((id, index) => id !== other[index]);
  return one.slice(0, Math.max(0, end));
}

/** The tokens after each separator, up to the next one. */
function splitBy(ids: readonly number[], separator: readonly number[]): number[][] {
  const segments: number[][] = [];
  for (let at = 0; at < ids.length; ) {
    if (separator.length > 0 && separator.every((id, index) => ids[at + index] === id)) {
      segments.push([]);
      at += separator.length;
    } else {
      segments.at(-1)?.push(ids[at] as number);
      at++;
    }
  }
  return segments;
}

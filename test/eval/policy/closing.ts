import { type Message, textOf } from './conversation.ts';

/** What follows the policy's own answer. */
export interface Closing {
  /** How many messages there were before it was given. */
  before: number;
  /** What has been written of it, in one or more messages. */
  parts: readonly string[];
  /** What the user says to it; undefined if the conversation ends with the answer. */
  word: string | undefined;
  /** The tools were called since. */
  hasCalled: boolean;
}

/** Undefined while the policy has not answered since it last called a tool of its own accord. */
export function readClosing(messages: readonly Message[]): Closing | undefined {
  const opening = messages.findIndex(({ role }) => role === 'user');
  const isAnswer = ({ role, tool_calls = [] }: Message) => role === 'assistant' && tool_calls.length === 0;
  const start = messages.findIndex((message, i) => i > opening && isAnswer(message));
  if (start < 0) return undefined;
  const after = messages.slice(start);
  const user = after.findLast(({ role }) => role === 'user');
  return {
    before: start,
    parts: after.filter(isAnswer).map(textOf),
    word: user && textOf(user),
    hasCalled: after.some(({ role }) => role === 'tool'),
  };
}

/** What is missing of an answer that was cut, if the conversation asks for it. */
export function restOf({ parts, word }: Closing, whole: string): string | undefined {
  const asksOn = word === undefined || /\b(continue|go on|carry on|stopped|cut off|cut)\b/i.test(word);
  if (!asksOn) return undefined;
  for (let i = 0; i < parts.length; i++) {
    const written = parts.slice(i).join('');
    if (written !== '' && whole.startsWith(written) && written.length < whole.length)
      return whole.slice(written.length);
  }
  return undefined;
}

const citation = /\s*\[\d+\]/g;

/** A claim without what frames it in a list. */
const bare = (text: string): string =>
  text
    .replaceAll(citation, '')
    .replace(/^[\s\d.)-]*(?:claim[\s\d]*:\s*)?/i, '')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase();

/** The answer without the cited claims that the word names as weak: each on a line of its own, or in quotation marks. */
export function withoutWeak(answer: string, word: string): string {
  const [prose = '', ...after] = answer.split('\n\n');
  const quoted = [...word.matchAll(/"([^"\n]+)"/g)].map(([, text = '']) => text);
  const named = new Set([...word.split('\n'), ...quoted].map(bare));
  const sentences = prose.match(/.+?\[\d+\]\.(?:\s+|$)|.+?$/g) ?? [];
  const kept = sentences.filter((sentence) => bare(sentence) === '' || !named.has(bare(sentence)));
  return kept.length === sentences.length ? answer : [kept.join('').trim(), ...after].join('\n\n');
}

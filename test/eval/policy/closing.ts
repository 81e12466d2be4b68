import { bareText } from '../words.ts';
import { type Message, textOf } from './conversation.ts';
import type { Tools } from './tools.ts';

/** What follows the policy's own answer. */
interface Closing {
  /** How many messages there were before it was given. */
  before: number;
  /** What has been written of it, in one or more messages. */
  parts: readonly string[];
  /** What the user says to it; undefined if the conversation ends with the answer. */
  word: string | undefined;
}

/** Undefined while the policy has not answered since it last called a tool. */
export function readClosing(messages: readonly Message[]): Closing | undefined {
  const last = messages.findLastIndex(
    ({ role, tool_calls = [] }) => role === 'tool' || tool_calls.length > 0,
  );
  const opening = messages.findIndex(({ role }) => role === 'user');
  const start = messages.findIndex(({ role }, i) => i > Math.max(last, opening) && role === 'assistant');
  if (start < 0) return undefined;
  const parts = messages
    .slice(start)
    .filter(({ role }) => role === 'assistant')
    .map(textOf);
  const end = messages.at(-1)!;
  return { before: start, parts, word: end.role === 'assistant' ? undefined : textOf(end) };
}

/** What is missing of an answer that was cut, if the conversation asks for it. */
export function restOf({ parts, word }: Closing, whole: string, tools: Tools): string | undefined {
  const asksOn = word === undefined || /\b(continue|go on|carry on|stopped|cut off|cut)\b/i.test(word);
  if (!asksOn || tools.has('confirm_answer')) return undefined;
  for (let i = 0; i < parts.length; i++) {
    const written = parts.slice(i).join('');
    if (written !== '' && whole.startsWith(written) && written.length < whole.length)
      return whole.slice(written.length);
  }
  return undefined;
}

const citation = /\s*\[\d+\]/g;

/** The answer without the cited claims that the word names as weak: each on a line of its own, or in quotation marks. */
export function withoutWeak(answer: string, word: string): string {
  const [prose = '', ...after] = answer.split('\n\n');
  const named = [
    ...word.split('\n'),
    ...[...word.matchAll(/"([^"\n]+)"/g)].map(([, quoted = '']) => quoted),
  ].map((line) =>
    bareText(line.replaceAll(citation, '').replace(/^[\s\d.)-]*(?:claim[\s\d]*:\s*)?/i, '')).replace(
      / ?\.$/,
      '',
    ),
  );
  const sentences = prose.match(/.+?\[\d+\]\.(?:\s+|$)|.+?$/g) ?? [];
  const kept = sentences.filter((sentence) => {
    const bare = bareText(sentence.replaceAll(citation, '')).replace(/ ?\.$/, '');
    return bare === '' || !named.includes(bare);
  });
  return kept.length === sentences.length ? answer : [kept.join('').trim(), ...after].join('\n\n');
}

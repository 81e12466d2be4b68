import type { RunPart } from '@errand/platform';
import { isOutsideMarked, markOutside, unmarkOutside } from '../outside/material.ts';
import type { ConversationMessage } from '../state.ts';
import { condenseCall, condenseResult, type Interest, isCondensed, leaveOut } from './condense.ts';
import { cutText, density, sizeOf, totalSize } from './size.ts';

/** The share of the context that the question and its document keep, however much follows. */
const openingShare = 0.55;
/** The room for a note about a cut. No note is longer. */
const noteCharacters = 100;

/**
 * Fits the conversation into the model's context. Holds the question to its share. Then condenses what is oldest, but for
 * the plan and the last results: first to the passages that were cited or asked for, then to a line. At last it cuts the
 * longest message until everything fits. A note says what is gone and how to get it back.
 */
export function fitConversation(
  messages: readonly ConversationMessage[],
  characterRoom: number,
  without: readonly RunPart[] = [],
): ConversationMessage[] {
  const maxCharacters = Math.floor(characterRoom / densest(messages));
  if (totalSize(messages) <= maxCharacters) return [...messages];
  const after = totalSize(messages.filter(({ role }) => role !== 'user'));
  const room = Math.max(Math.floor(maxCharacters * openingShare), maxCharacters - after - noteCharacters);
  const fitted = messages.map((message) => holdTo(message, room));
  condenseOldest(fitted, maxCharacters, without.includes('compaction') ? [leaveOut] : steps);
  cutLongest(fitted, maxCharacters);
  return fitted;
}

type Condense = (message: ConversationMessage, interest: Interest) => ConversationMessage;

/** What a step takes away, from the mildest on. Each goes from the oldest message to the newest. */
const steps: readonly Condense[] = [condenseResult, condenseCall, leaveOut];

function condenseOldest(
  messages: ConversationMessage[],
  maxCharacters: number,
  taken: readonly Condense[],
): void {
  const kept = keptWhole(messages);
  const interests = interestsOf(messages);
  let size = totalSize(messages);
  for (const step of taken)
    for (let i = 0; i < messages.length && size > maxCharacters; i++) {
      const message = messages[i]!;
      if (kept.has(i) || message.role === 'user' || message.role === 'system') continue;
      const less = step(message, interests(i));
      if (sizeOf(less) >= sizeOf(message)) continue;
      size -= sizeOf(message) - sizeOf(less);
      messages[i] = less;
    }
}

/** The plan as it is now, and everything since the last message with calls. */
function keptWhole(messages: readonly ConversationMessage[]): Set<number> {
  const last = messages.findLastIndex(hasCalls);
  const kept = new Set(messages.keys().filter((i) => last >= 0 && i >= last));
  const planned = messages.findLastIndex(
    (message) => hasCalls(message) && message.tool_calls?.some(isPlan) === true,
  );
  const plan = messages[planned];
  if (plan?.role !== 'assistant') return kept;
  kept.add(planned);
  const ids = new Set(plan.tool_calls?.filter(isPlan).map(({ id }) => id));
  for (const [i, message] of messages.entries())
    if (message.role === 'tool' && ids.has(message.tool_call_id)) kept.add(i);
  return kept;
}

type AssistantMessage = Extract<ConversationMessage, { role: 'assistant' }>;

const hasCalls = (message: ConversationMessage): message is AssistantMessage =>
  message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0;

const isPlan = (call: { function: { name: string } }): boolean => call.function.name === 'write_todos';

/** What the run wants of each result: its question, the call that asked for it, and what the model wrote since. */
function interestsOf(messages: readonly ConversationMessage[]): (index: number) => Interest {
  const question = messages.find(({ role }) => role === 'user')?.content ?? '';
  const texts = messages.flatMap(({ role, content }) => (role === 'assistant' && content ? [content] : []));
  const calls = new Map(
    messages.filter(hasCalls).flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call])),
  );
  return (index) => {
    const message = messages[index];
    const call = message?.role === 'tool' ? calls.get(message.tool_call_id) : undefined;
    return { question: question.slice(0, 2_000), written: texts, call: call?.function };
  };
}

function cutLongest(messages: ConversationMessage[], maxCharacters: number): void {
  const sizes = messages.map(sizeOf);
  let size = sizes.reduce((sum, one) => sum + one, 0);
  while (size > maxCharacters) {
    const longest = sizes.indexOf(Math.max(...sizes));
    const message = messages[longest]!;
    const length = message.content?.length ?? 0;
    const content = cutContent(message.content ?? '', length - (size - maxCharacters) - 200);
    if (content.length >= length) break;
    size -= length - content.length;
    sizes[longest]! -= length - content.length;
    messages[longest] = { ...message, content };
  }
}

/** What is left of a text from outside stays marked. */
function cutContent(content: string, maxCharacters: number): string {
  if (!isOutsideMarked(content)) return cutText(content, Math.max(0, maxCharacters));
  const text = unmarkOutside(content);
  const marks = content.length - text.length;
  return markOutside(cutText(text, Math.max(0, maxCharacters - marks)));
}

/**
 * The conversation with what `fitConversation` has condensed. A conversation only grows, so the same would be condensed
 * every time and need not be in the checkpoint.
 */
export const withoutCondensed = (
  messages: readonly ConversationMessage[],
  fitted: readonly ConversationMessage[],
): ConversationMessage[] =>
  messages.map((message, i) => {
    const sent = fitted[i];
    return sent && sent.role === message.role && isCondensed(sent) ? sent : message;
  });

/** The highest density among large messages, since one of them may be most of what is left after fitting. */
function densest(messages: readonly ConversationMessage[]): number {
  const size = totalSize(messages);
  return messages
    .filter((message) => sizeOf(message) > size / 10)
    .reduce((most, { content }) => Math.max(most, density(content ?? '')), 1);
}

function holdTo(message: ConversationMessage, maxCharacters: number): ConversationMessage {
  if (message.role !== 'user' || message.content.length <= maxCharacters) return message;
  return { ...message, content: cutText(message.content, maxCharacters) };
}

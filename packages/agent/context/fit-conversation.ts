import { withLessThinking } from '@errand/models';
import { citedClaims } from '../citations/cited-claims.ts';
import type { AssistantMessage, ConversationMessage, LeftOut, ToolMessage } from '../data.ts';
import { isOutsideMarked, markOutside, unmarkOutside } from '../outside/material.ts';
import { type Condensed, condenseCalls, condenseResult, type Interest, leaveOut } from './condense.ts';
import { cutText, density, noteCharacters, sizeOf, totalSize } from './size.ts';

/** The share of the context that the question and its document keep, however much follows. */
const openingShare = 0.55;
/** The share that they keep while what follows has less than `littleShare`. */
const firstShare = 0.85;
const littleShare = 0.1;
/** What a conversation that outgrew the context is brought down to, so that many rounds after it need not change it again. */
const goalShare = 0.6;
/** A conversation within this share keeps the passages that it has cited, though it misses the goal. */
const nearShare = 0.8;
/** The room for results beside a long question. */
const resultShare = 0.25;

export interface Fitted {
  /** What the model is shown from now on: what was condensed is condensed for good, since a conversation only grows. */
  messages: ConversationMessage[];
  leftOut: LeftOut;
}

/**
 * Fits the conversation into the model's context. One that does not fit is brought far below it at once: each change makes its
 * provider's cache worthless. Holds the question to its share. Then condenses what is oldest, but for the plan and the last
 * results: first to the passages that were cited or asked for, then to a line. If that is not enough, cuts the longest messages
 * until everything fits. A note says what is gone and how to get it back.
 */
export function fitConversation(
  messages: readonly ConversationMessage[],
  characterRoom: number,
  leftOut: LeftOut = {},
): Fitted {
  const maxCharacters = Math.floor(characterRoom / densest(messages));
  if (totalSize(messages) <= maxCharacters) return { messages: [...messages], leftOut };
  const after = totalSize(messages.filter(({ role }) => role !== 'user'));
  const isFirst = after < maxCharacters * littleShare;
  const room = maxCharacters * (isFirst ? firstShare : openingShare) - noteCharacters;
  const held = messages.map((message) => holdTo(message, Math.floor(room)));
  const opening = totalSize(held.slice(0, held.findIndex(({ role }) => role === 'user') + 1));
  const goal = Math.max(maxCharacters * goalShare, opening + maxCharacters * resultShare);
  const condensed = condenseOldest(
    held,
    { goal: Math.min(maxCharacters, goal), most: maxCharacters },
    leftOut,
  );
  const fitted = [...condensed.messages];
  cutToFit(fitted, maxCharacters);
  return { messages: fitted, leftOut: condensed.leftOut };
}

function condenseOldest(
  from: readonly ConversationMessage[],
  { goal, most }: { goal: number; most: number },
  before: LeftOut,
): { messages: ConversationMessage[]; leftOut: LeftOut } {
  const messages = [...from];
  const leftOut: Record<string, number> = { ...before };
  const stay = keptWhole(messages);
  const interestOf = interestsOf(messages);
  let size = totalSize(messages);
  const replace = (i: number, less: ConversationMessage): boolean => {
    const saved = sizeOf(messages[i]!) - sizeOf(less);
    if (saved <= 0) return false;
    size -= saved;
    messages[i] = less;
    return true;
  };
  const condenseResults = (condense: (message: ToolMessage, i: number) => Condensed | undefined) => {
    for (let i = 0; i < messages.length && size > goal; i++) {
      const message = messages[i]!;
      const less = stay.has(i) || message.role !== 'tool' ? undefined : condense(message, i);
      if (less && replace(i, less.message)) leftOut[less.message.tool_call_id] = less.leftOut;
    }
  };
  const shortenCalls = (may: (i: number) => boolean) => {
    for (let i = 0; i < messages.length && size > goal; i++) {
      const message = messages[i]!;
      if (may(i) && message.role === 'assistant') replace(i, condenseCalls(message));
    }
  };
  condenseResults((message, i) =>
    leftOut[message.tool_call_id] === undefined ? condenseResult(message, interestOf(i)) : undefined,
  );
  const shortenThoughts = (may: (i: number) => boolean) => {
    for (let i = 0; i < messages.length && size > goal; i++) {
      const message = messages[i]!;
      if (may(i) && message.role === 'assistant' && message.opaque)
        replace(i, { ...message, opaque: withLessThinking(message.opaque) });
    }
  };
  shortenCalls((i) => !stay.has(i));
  shortenThoughts((i) => !stay.has(i));
  if (size > Math.max(goal, most * nearShare))
    condenseResults((message, i) => leaveOut(message, interestOf(i), leftOut[message.tool_call_id] ?? 0));
  // The last calls alone can be longer than everything that a model may be shown.
  if (size > most) shortenCalls(() => true);
  // So can the thought before them, and the results are worth more.
  if (size > most) shortenThoughts(() => true);
  return { messages, leftOut };
}

const hasCalls = (message: ConversationMessage): message is AssistantMessage =>
  message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 0;

const isPlan = (call: { function: { name: string } }): boolean => call.function.name === 'write_todos';

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

/** What the run wants of each result: its question, the call that asked for it, and what the model wrote of its source. */
function interestsOf(messages: readonly ConversationMessage[]): (index: number) => Interest {
  const question = (messages.find(({ role }) => role === 'user')?.content ?? '').slice(0, 2_000);
  const cited = new Map<number, string[]>();
  for (const { role, content } of messages)
    for (const { sources, text } of role === 'assistant' && content ? citedClaims(content) : [])
      for (const number of sources) cited.set(number, [...(cited.get(number) ?? []), text]);
  const calls = new Map(
    messages.filter(hasCalls).flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call])),
  );
  return (index) => {
    const message = messages[index];
    const call = message?.role === 'tool' ? calls.get(message.tool_call_id) : undefined;
    return { question, cited, call: call?.function };
  };
}

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

/**
 * Cuts the longest messages to one length, at which everything fits. What tools answered is cut before what the model wrote,
 * and the question last. The instructions are never cut.
 */
function cutToFit(messages: ConversationMessage[], maxCharacters: number): void {
  for (const roles of [['tool'], ['tool', 'assistant'], ['user']]) {
    const size = totalSize(messages);
    if (size <= maxCharacters) return;
    const cut = messages.filter(({ role }) => roles.includes(role)).map(contentLength);
    const room = maxCharacters - (size - sum(cut));
    const least = roles.includes('user') ? maxCharacters * questionShare : 0;
    cutTo(messages, roles, levelOf(cut, Math.max(room, least)));
  }
}

/** The part of the room that the question keeps, even if nothing else can be cut. */
const questionShare = 0.5;

const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);

function cutTo(messages: ConversationMessage[], roles: readonly string[], level: number): void {
  for (const [i, message] of messages.entries()) {
    if (!roles.includes(message.role) || contentLength(message) <= level) continue;
    const content = cutContent(message.content ?? '', Math.max(0, level - noteCharacters));
    const cut = { ...message, content } as ConversationMessage;
    if (sizeOf(cut) < sizeOf(message)) messages[i] = cut;
  }
}

const contentLength = ({ content }: ConversationMessage): number => content?.length ?? 0;

/** The largest length to which all are cut that are longer, so that together they have the room. */
function levelOf(lengths: readonly number[], room: number): number {
  const ascending = lengths.toSorted((one, other) => one - other);
  let left = Math.max(0, room);
  for (const [i, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** What is left of a text from outside stays marked. */
function cutContent(content: string, maxCharacters: number): string {
  if (!isOutsideMarked(content)) return cutText(content, maxCharacters);
  const text = unmarkOutside(content);
  const marks = content.length - text.length;
  return markOutside(cutText(text, Math.max(0, maxCharacters - marks)));
}

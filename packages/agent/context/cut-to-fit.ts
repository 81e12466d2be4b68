import type { ConversationMessage } from '../data.ts';
import { isOutsideMarked, markOutside, unmarkOutside } from '../outside/material.ts';
import { cutText, noteCharacters, sizeOf, totalSize } from './size.ts';

/**
 * Cuts the longest messages to one length, at which everything fits. What tools answered is cut before what the model wrote,
 * and the question last. The instructions are never cut.
 */
export function cutToFit(messages: ConversationMessage[], maxCharacters: number): void {
  for (const roles of [['tool'], ['tool', 'assistant'], ['user']]) {
    const size = totalSize(messages);
    if (size <= maxCharacters) return;
    const cut = messages.filter(({ role }) => roles.includes(role)).map(contentLength);
    const room = maxCharacters - (size - sum(cut));
    const least = roles.includes('user') ? maxCharacters * questionShare : 0;
    cutTo(messages, roles, levelOf(cut, Math.max(room, least)));
  }
}

/** What the question keeps of the room, whatever else cannot be cut. */
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

import { limits } from '@errand/platform';
import type { ConversationMessage } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import { toolDefinition } from '../tool.ts';

/** A low estimate for prose in Latin letters; `density` corrects it for other texts. */
const charactersPerToken = 3;
const promptTokens = 2_000;

/** How many characters of conversation fit a model's context, beside its answer and the definitions of the tools. */
export const contextCharacters = (contextTokens: number): number =>
  Math.max(4_000, (contextTokens - limits.outputTokensPerCompletion - promptTokens) * charactersPerToken);

/** The most of a context that is left free for thinking. */
const thinkingShare = 0.5;

/** The tokens of a model's context without those of its thinking, and of the definitions that others wrote. */
export const contextLeft = ({ reasoning, tools }: Pick<AgentDeps, 'reasoning' | 'tools'>): number => {
  const { contextTokens } = reasoning;
  const left =
    contextTokens - Math.min(reasoning.thinkingTokens(), Math.floor(contextTokens * thinkingShare));
  const foreign = tools.filter(({ parameters }) => 'jsonSchema' in parameters).map(toolDefinition);
  if (foreign.length === 0) return left;
  const text = JSON.stringify(foreign);
  return left - Math.ceil((text.length * density(text)) / charactersPerToken);
};

const isLetterOrSpace = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x20;

/**
 * How many tokens a text may have for each token of prose of the same length. At least 1: digits, signs and other
 * scripts take more. The factors come from counts by o200k: 1.8 characters a token for decimals and for Chinese, 1.4
 * for Japanese.
 */
export function density(text: string): number {
  let weight = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    weight += isLetterOrSpace(code) ? 1 : code < 0x80 ? 1.9 : code < 0x590 ? 1.5 : 2.4;
  }
  return Math.max(1, weight / Math.max(1, text.length));
}

/** The room for a note about a cut. No note is longer. */
export const noteCharacters = 100;

/** The text. If it is too long, its beginning and a line that says how much was cut. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const kept = text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}\n\n[${text.length - kept.length} more characters were cut here to fit the model's context.]`;
}

/** The characters of a message, with those of its calls and of what goes back to the model's server. */
export const sizeOf = (message: ConversationMessage): number =>
  (message.content?.length ?? 0) +
  (message.role === 'assistant'
    ? JSON.stringify(message.tool_calls ?? []).length + JSON.stringify(message.opaque ?? '').length - 2
    : 0);

export const totalSize = (messages: readonly ConversationMessage[]): number =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);

import { limits } from '@errand/platform';
import type { RunDeps } from '../answer/answer-form.ts';
import type { ConversationMessage } from '../data.ts';
import type { AgentDeps, ReasoningModel } from '../deps.ts';
import { toolDefinition } from '../tool.ts';

/** A low estimate for prose in Latin letters; `density` corrects it for other texts. */
const charactersPerToken = 3;
const promptTokens = 2_000;

/** How many characters of conversation fit a model's context, beside its answer and the definitions of the tools. */
export const contextCharacters = (contextTokens: number): number =>
  Math.max(4_000, (contextTokens - limits.outputTokensPerCompletion - promptTokens) * charactersPerToken);

/** The most of a context that is left free for thinking. */
const thinkingShare = 0.5;

/** The most of a context that a value is written in. */
const valueShare = 0.25;

/** How many tokens a model may write for people in a completion that may hold a value. */
export function valueTokens({
  contextTokens,
  mostOutputTokens,
  thinkingTokens,
}: Pick<ReasoningModel, 'contextTokens' | 'mostOutputTokens' | 'thinkingTokens'>): number {
  const most = (mostOutputTokens ?? Number.POSITIVE_INFINITY) - thinkingTokens();
  return Math.max(
    limits.outputTokensPerCompletion,
    Math.min(limits.outputTokensPerValue, Math.floor(contextTokens * valueShare), most),
  );
}

/** What a value and its schema take of the context, beside what any answer has. */
function tokensOfValue({ form, reasoning }: ContextDeps): number {
  if (!form?.value) return 0;
  const text = JSON.stringify(form.value.format);
  return (
    valueTokens(reasoning) -
    limits.outputTokensPerCompletion +
    Math.ceil((text.length * density(text)) / charactersPerToken)
  );
}

type ContextDeps = Pick<AgentDeps, 'reasoning' | 'tools'> & Partial<Pick<RunDeps, 'form'>>;

/** The tokens of a model's context without those of its thinking, of a value, and of the definitions that others wrote. */
export const contextLeft = (deps: ContextDeps): number => {
  const { reasoning, tools } = deps;
  const { contextTokens } = reasoning;
  const left =
    contextTokens -
    Math.min(reasoning.thinkingTokens(), Math.floor(contextTokens * thinkingShare)) -
    tokensOfValue(deps);
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

import {
  countInputTokens,
  firstTokens,
  impactTotals,
  inputOnly,
  type Opaque,
  type ToolCall,
  type Usage,
  withCallIds,
} from '@errand/models';
import {
  boundCompletion,
  type CompletionBound,
  type Cost,
  isFinishReason,
  type PaidCall,
  priceWork,
  type Taking,
  type Work,
} from '@errand/money';
import { limits, type Price } from '@errand/platform';
import type { RunDeps } from './answer/answer-form.ts';
import { type Fitted, fitConversation } from './context/fit-conversation.ts';
import { contextCharacters, contextLeft, valueTokens } from './context/size.ts';
import { withNotes } from './conversation.ts';
import type { ConversationMessage, LeftOut } from './data.ts';
import type { AgentDeps, CompletionRequest } from './deps.ts';
import { offeredTools } from './offered-tools.ts';
import type { Thinking } from './state.ts';
import { toolDefinition } from './tool.ts';

/** A completion that is paid for but not requested yet. */
interface PaidCompletion {
  call: PaidCall;
  request: CompletionRequest;
  fitted: Fitted;
  price: Price;
  /** The most that the model may write for people. */
  writtenTokens: number;
  /** True if the remaining money pays for only a part of the completion, which then is the run's answer. */
  isLast: boolean;
}

export interface MadeCompletion {
  text: string;
  calls: ToolCall[];
  /** True if thinking has used up the completion and the next one has more room: the model is asked again. */
  needsRoom: boolean;
  /** What goes back to the model's server with the text and the calls. */
  opaque?: Opaque;
  /** Whether the model had more to write, or its provider ended what it wrote. */
  ending: 'whole' | 'cut' | 'filtered';
  costs: Cost[];
  /** The conversation without the parts that the model is no longer shown. */
  messages: ConversationMessage[];
  leftOut: LeftOut;
}

/** Only quick retries: for a longer wait the run gives back its worker. */
const attempts = { first: 3, afterPause: 2 };

/**
 * Undefined if the remaining money does not pay for the completion's input, or for the whole of a check. A completion before the one that
 * writes a value is the last if both are not paid for.
 */
export async function payForCompletion(
  deps: RunDeps,
  state: Thinking,
  atCap: boolean,
): Promise<PaidCompletion | undefined> {
  const { reasoning } = deps;
  const fitted = fitConversation(state.messages, contextCharacters(contextLeft(deps)), state.leftOut);
  const { value } = deps.form;
  const isWriting = state.part === 'loop' && state.writing !== undefined;
  const writtenTokens =
    value && (isWriting || state.part === 'check')
      ? valueTokens(reasoning)
      : limits.outputTokensPerCompletion;
  const request: CompletionRequest = {
    messages: withNotes(fitted.messages, state.notes),
    tools: offeredTools(deps.tools).map(toolDefinition),
    tool_choice: atCap || isWriting || state.partial ? 'none' : 'auto',
    max_tokens: writtenTokens + reasoning.thinkingTokens(),
    ...(isWriting && value && { response_format: value.format }),
  };
  const price = reasoning.price();
  const isBeforeValue = value && state.part === 'loop' && !isWriting;
  const bound = boundRequest(price, reasoning, request, isBeforeValue ? value.format : undefined);
  const known = async (taking: Taking) =>
    workOf(deps, price, inputOnly(await countInputTokens({ ...request }, bound.inputTokens)), taking);
  const call = await deps.calls.start(bound, 'completion', known);
  if (!call) return undefined;
  const paid = { call, request, fitted, price, writtenTokens };
  const max_tokens = bound.outputTokensFor(call.nanoEuro);
  if (max_tokens === undefined) return { ...paid, isLast: false };
  if (state.part === 'loop')
    return { ...paid, request: { ...request, tool_choice: 'none', max_tokens }, isLast: true };
  // A check is paid for whole, or not made.
  await call.release();
  return undefined;
}

const workOf = ({ reasoning }: AgentDeps, price: Price, usage: Usage, { upstream }: Taking): Work =>
  priceWork({ kind: 'completion', model: reasoning.id, ...usage, price, upstream });

/** With the format of a value, the bound of the completion and of the one after it, which writes the value. */
function boundRequest(
  price: Price,
  reasoning: AgentDeps['reasoning'],
  { messages, tools, max_tokens, response_format }: CompletionRequest,
  next: object | undefined,
): CompletionBound {
  const sent = { messages, tools, response_format };
  const bytes = Buffer.byteLength(JSON.stringify(sent));
  const mostInputTokens = Math.min(reasoning.contextTokens, bytes);
  if (!next)
    return boundCompletion(price, {
      mostInputTokens,
      countInput: () => countInputTokens(sent),
      outputTokens: max_tokens,
    });
  const after = { ...sent, response_format: next };
  const room = limits.outputTokensPerCompletion + promptTokens;
  const afterBytes = bytes + Buffer.byteLength(JSON.stringify(next)) + room;
  return boundCompletion(price, {
    mostInputTokens: mostInputTokens + Math.min(reasoning.contextTokens, afterBytes),
    countInput: async () => (await countInputTokens(sent)) + (await countInputTokens(after)) + room,
    outputTokens: max_tokens + valueTokens(reasoning) + reasoning.thinkingTokens(),
  });
}

/** What asks for a value has fewer tokens. */
const promptTokens = 500;

export async function complete(
  deps: RunDeps,
  state: Thinking,
  { call, request, fitted, price, writtenTokens }: PaidCompletion,
  signal: AbortSignal,
): Promise<MadeCompletion> {
  const number = state.completions + 1;
  const { taking } = call;
  const completion = await deps.reasoning.complete(request, {
    signal,
    attempts: state.waiting ? attempts.afterPause : attempts.first,
    timeoutMilliseconds:
      state.part === 'check' && !deps.form.value
        ? limits.checkCompletionMilliseconds
        : limits.completionMilliseconds,
    taking,
  });
  const { message, finishReason, usage, inferenceMilliseconds } = completion;
  const made = request.tool_choice === 'none' ? [] : (message.tool_calls ?? []);
  const written = message.content ?? '';
  const text = made.length === 0 ? await withoutExcess(written, request, writtenTokens) : written;
  const impact = await deps.reasoning.impact({ usage, inferenceMilliseconds });
  const cost = await deps.calls.toCost(state, `completion-${number}`, {
    ...workOf(deps, price, usage, taking),
    ...impactTotals(impact),
    ...(deps.notesFinishReasons && isFinishReason(finishReason) && { finishReason }),
    call,
  });
  const ending = text.length < written.length ? 'cut' : (endings[finishReason] ?? 'whole');
  const calls = withIds(made, number, state.messages, ending);
  return {
    text,
    calls,
    needsRoom:
      deps.reasoning.noteThinking(completion, request.max_tokens) && text === '' && calls.length === 0,
    opaque: message.opaque && withCallIds(message.opaque, calls),
    ending,
    costs: [cost],
    messages: fitted.messages,
    leftOut: fitted.leftOut,
  };
}

/** A model with room for its thinking may write no more for people than any other. */
const withoutExcess = (
  written: string,
  { max_tokens }: CompletionRequest,
  writtenTokens: number,
): Promise<string> | string => (max_tokens > writtenTokens ? firstTokens(written, writtenTokens) : written);

const endings: Readonly<Record<string, MadeCompletion['ending']>> = {
  length: 'cut',
  content_filter: 'filtered',
};

/**
 * Some servers leave out the id of a call, give calls of later turns the ids of earlier ones, or leave out the arguments if
 * there are none. The ids here are unique in the conversation, and those
 * made here have the form that Mistral demands: nine letters and digits.
 */
function withIds(
  calls: readonly ToolCall[],
  completion: number,
  messages: readonly ConversationMessage[],
  ending: MadeCompletion['ending'],
): ToolCall[] {
  const used = new Set(messages.flatMap((message) => (message.role === 'tool' ? message.tool_call_id : [])));
  return calls.map(({ id, function: { name, arguments: json } }, i) => {
    let own = id;
    for (let number = i; own === '' || used.has(own); number += calls.length)
      own = `call${inDigits(completion, 3)}${inDigits(number, 2)}`;
    used.add(own);
    const isCut = ending !== 'whole' && i === calls.length - 1;
    return { id: own, type: 'function', function: { name, arguments: json.trim() || isCut ? json : '{}' } };
  });
}

const inDigits = (number: number, digits: number): string => number.toString(36).padStart(digits, '0');

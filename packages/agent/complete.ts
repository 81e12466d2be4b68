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
import { type Fitted, fitConversation } from './context/fit-conversation.ts';
import { contextCharacters, contextLeft } from './context/size.ts';
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

/** Undefined if the remaining money does not pay for the completion's input, or for the whole of a check. */
export async function payForCompletion(
  deps: AgentDeps,
  state: Thinking,
  atCap: boolean,
): Promise<PaidCompletion | undefined> {
  const { reasoning } = deps;
  const fitted = fitConversation(state.messages, contextCharacters(contextLeft(deps)), state.leftOut);
  const request: CompletionRequest = {
    messages: withNotes(fitted.messages, state.notes),
    tools: offeredTools(deps.tools).map(toolDefinition),
    tool_choice: atCap || state.partial ? 'none' : 'auto',
    max_tokens: limits.outputTokensPerCompletion + reasoning.thinkingTokens(),
  };
  const price = reasoning.price();
  const bound = boundRequest(price, request, reasoning.contextTokens);
  const known = async (taking: Taking) =>
    workOf(deps, price, inputOnly(await countInputTokens({ ...request }, bound.inputTokens)), taking);
  const call = await deps.calls.start(bound, 'completion', known);
  if (!call) return undefined;
  const max_tokens = bound.outputTokensFor(call.nanoEuro);
  if (max_tokens === undefined) return { call, request, fitted, price, isLast: false };
  if (state.part === 'loop')
    return { call, request: { ...request, tool_choice: 'none', max_tokens }, fitted, price, isLast: true };
  // A check is paid for whole, or not made.
  await call.release();
  return undefined;
}

const workOf = ({ reasoning }: AgentDeps, price: Price, usage: Usage, { upstream }: Taking): Work =>
  priceWork({ kind: 'completion', model: reasoning.id, ...usage, price, upstream });

function boundRequest(
  price: Price,
  { messages, tools, max_tokens }: CompletionRequest,
  contextTokens: number,
): CompletionBound {
  return boundCompletion(price, {
    mostInputTokens: Math.min(contextTokens, Buffer.byteLength(JSON.stringify({ messages, tools }))),
    countInput: () => countInputTokens({ messages, tools }),
    outputTokens: max_tokens,
  });
}

export async function complete(
  deps: AgentDeps,
  state: Thinking,
  { call, request, fitted, price }: PaidCompletion,
  signal: AbortSignal,
): Promise<MadeCompletion> {
  const number = state.completions + 1;
  const { taking } = call;
  const completion = await deps.reasoning.complete(request, {
    signal,
    attempts: state.waiting ? attempts.afterPause : attempts.first,
    timeoutMilliseconds:
      state.part === 'check' ? limits.checkCompletionMilliseconds : limits.completionMilliseconds,
    taking,
  });
  const { message, finishReason, usage, inferenceMilliseconds } = completion;
  const made = request.tool_choice === 'none' ? [] : (message.tool_calls ?? []);
  const written = message.content ?? '';
  const text = made.length === 0 ? await withoutExcess(written, request) : written;
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
const withoutExcess = (written: string, { max_tokens }: CompletionRequest): Promise<string> | string =>
  max_tokens > limits.outputTokensPerCompletion
    ? firstTokens(written, limits.outputTokensPerCompletion)
    : written;

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

import type { Taking } from '@errand/money';
import { limits } from '@errand/platform';
import { askWhole, parseAnswer } from './ask-whole.ts';
import type { Model, ModelUpstream } from './catalogue.ts';
import type { AssistantMessage, ChatBody, ToolCall } from './chat-messages.ts';
import { countCompletion } from './count-chat.ts';
import type { UpstreamDeps } from './deps.ts';
import { fieldRule } from './field-rules.ts';
import { leavingOutFormat, leavingOutRefused, namingLimit, placingNotes, withinMost } from './learned.ts';
import { fromMessage } from './messages/from-message.ts';
import { toMessageBody } from './messages/to-message.ts';
import { hiddenTokensOf, withHidden } from './messages/written.ts';
import { messagesFor, readOpaque } from './opaque-fields.ts';
import { withCaching } from './prompt-cache.ts';
import { readContent } from './read-content.ts';
import { type RetryOptions, retryUpstream, tryUpstreams } from './retry.ts';
import type { UpstreamRequest } from './upstream.ts';
import { isPassing, UpstreamError } from './upstream-error.ts';
import { readUsage, type Usage } from './usage.ts';

export interface Completion {
  message: AssistantMessage;
  finishReason: string;
  usage: Usage;
  /** The time from sending the request that succeeded to the last byte of its answer. */
  inferenceMilliseconds: number;
}

interface CompleteOptions extends Partial<RetryOptions> {
  /** The time limit of all attempts and waits together, after which it throws `UpstreamError` `timeout`. 10 minutes if absent. */
  timeoutMilliseconds?: number;
  /** Records which upstream was asked, and whether it is working on the request. */
  taking?: Taking;
  /** The same for all requests of a conversation, each of which begins with the one before. Lets the upstream cache that beginning. */
  cacheKey?: string;
  /** The request goes on without its `response_format` at an upstream that refuses it, or whose fields leave it out. */
  mayLeaveOutFormat?: boolean;
}

const defaultAttempts = 4;
const defaultTimeoutMilliseconds = 600_000;
const answerBytes = 32 * 1024 * 1024;
/** For completions without a limit, which a message must have. */
const maxTokens = limits.outputTokensPerCompletion;

/**
 * Makes one completion that is not streamed. Retries as `retryUpstream` says, each time over the model's fallbacks in
 * order. Throws `UpstreamError`, or the signal's reason.
 */
export async function completeChat(
  deps: UpstreamDeps,
  model: Model,
  body: ChatBody,
  options: CompleteOptions = {},
): Promise<Completion> {
  const {
    timeoutMilliseconds = defaultTimeoutMilliseconds,
    taking,
    cacheKey,
    mayLeaveOutFormat,
    ...retries
  } = options;
  const bound = boundTime(timeoutMilliseconds, options.signal);
  const { signal } = bound;
  const { contextTokens, hiddenReasoning } = model;
  try {
    return await retryUpstream(deps, { attempts: defaultAttempts, mayRetry, ...retries, signal }, () =>
      tryUpstreams(
        deps,
        model,
        (upstream, { signal, heard }) =>
          completeAt(deps, upstream, body, {
            signal,
            heard,
            taking,
            contextTokens,
            hiddenReasoning,
            cacheKey,
            mayLeaveOutFormat,
          }),
        signal,
      ),
    );
  } finally {
    bound.stop();
  }
}

type Asking = Pick<UpstreamRequest, 'signal' | 'heard' | 'taking'> &
  Pick<Model, 'contextTokens' | 'hiddenReasoning'> &
  Pick<CompleteOptions, 'cacheKey' | 'mayLeaveOutFormat'>;

/** An upstream in trouble may answer 200 with a page of HTML. */
const mayRetry = (error: unknown): error is UpstreamError =>
  isPassing(error) || (error instanceof UpstreamError && error.kind === 'unreadable');

function boundTime(milliseconds: number, outer?: AbortSignal) {
  const controller = new AbortController();
  const onAbort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new UpstreamError('timeout')), milliseconds);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const stop = () => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, stop };
}

function completeAt(
  deps: UpstreamDeps,
  upstream: ModelUpstream,
  { max_tokens: limit, ...given }: ChatBody,
  { mayLeaveOutFormat, ...how }: Asking,
): Promise<Completion> {
  const { response_format, ...rest } = given;
  const isOptional = mayLeaveOutFormat && response_format !== undefined;
  const body = isOptional ? (rest as typeof given) : given;
  const format =
    isOptional && fieldRule(upstream, 'response_format') === 'pass' ? response_format : undefined;
  const ask = (named: object) =>
    leavingOutFormat(deps, upstream, format, (response_format) =>
      placingNotes(deps, upstream, body.messages, (placed) =>
        leavingOutRefused(deps, upstream, (refused) =>
          completeOnce(
            deps,
            upstream,
            {
              ...body,
              ...(response_format !== undefined && { response_format }),
              ...named,
              messages: messagesFor(upstream, placed, refused),
            },
            how,
          ),
        ),
      ),
    );
  if (typeof limit !== 'number') return ask({});
  if (upstream.api === 'messages')
    return withinMost(deps, upstream, { limit, messages: body.messages }, (most) =>
      ask({ max_tokens: most }),
    );
  const usual = how.hiddenReasoning ? 'max_completion_tokens' : 'max_tokens';
  return namingLimit(
    deps,
    upstream,
    (name) => withinMost(deps, upstream, { limit, messages: body.messages }, (most) => ask({ [name]: most })),
    { usual, teaches: true },
  );
}

async function completeOnce(
  deps: UpstreamDeps,
  upstream: ModelUpstream,
  body: ChatBody,
  { contextTokens, hiddenReasoning: _, cacheKey, ...how }: Asking,
): Promise<Completion> {
  const completion = { ...withCaching(upstream, body, cacheKey), model: upstream.model, stream: false };
  const isMessages = upstream.api === 'messages';
  const { bytes, inferenceMilliseconds } = await askWhole(deps, upstream, {
    path: isMessages ? '/messages' : '/chat/completions',
    body: JSON.stringify(isMessages ? toMessageBody(completion, { maxTokens }) : completion),
    limitBytes: answerBytes,
    ...how,
  });
  const answer = parseAnswer(bytes);
  const { message, finishReason, usage } = readAnswer(upstream, isMessages ? fromMessage(answer) : answer);
  const countAnswer = async () => {
    const counted = await countCompletion(body, message, contextTokens);
    if (!isMessages) return counted;
    const { max_tokens: asked }: ChatBody & { max_tokens?: unknown } = completion;
    const most = typeof asked === 'number' ? asked : maxTokens;
    return { ...counted, outputTokens: withHidden(counted.outputTokens, hiddenTokensOf(answer), most) };
  };
  return {
    message,
    finishReason,
    usage: usage ?? (await countAnswer()),
    inferenceMilliseconds,
  };
}

function readAnswer(
  upstream: ModelUpstream,
  parsed: unknown,
): { message: AssistantMessage; finishReason: string; usage?: Usage } {
  const { choices, usage } = (parsed ?? {}) as { choices?: unknown; usage?: unknown };
  const choice = (Array.isArray(choices) ? choices[0] : undefined) as
    | { message?: Record<string, unknown>; finish_reason?: unknown }
    | undefined;
  if (typeof choice?.message !== 'object' || choice.message === null) throw new UpstreamError('unreadable');
  return {
    message: readMessage(upstream, choice.message),
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : 'stop',
    usage: readUsage(usage),
  };
}

/** A model may write half a surrogate pair as an escape, which no store accepts: `toWellFormed` replaces it. */
function readMessage(upstream: ModelUpstream, sent: Record<string, unknown>): AssistantMessage {
  const { content, refusal, tool_calls } = sent;
  const calls = Array.isArray(tool_calls) ? tool_calls.flatMap(readToolCall) : [];
  const { text, isAll } = readContent(content);
  const opaque = readOpaque(upstream, sent, {
    content: isAll ? undefined : content,
    calls: calls.map((call) => call.sent),
  });
  return {
    role: 'assistant',
    content: text || readContent(refusal).text || null,
    ...(calls.length > 0 && { tool_calls: calls.map(({ call }) => call) }),
    ...(opaque && { opaque }),
  };
}

/** Some servers leave the id out (it becomes empty) or send the arguments as an object (it becomes JSON). */
function readToolCall(value: unknown): { sent: Record<string, unknown>; call: ToolCall }[] {
  const sent = (value ?? {}) as Record<string, unknown>;
  const call = sent as { id?: unknown; function?: { name?: unknown; arguments?: unknown } };
  if (typeof call.function?.name !== 'string') return [];
  const args = call.function.arguments;
  const read: ToolCall = {
    id: typeof call.id === 'string' ? call.id : '',
    type: 'function',
    function: {
      name: call.function.name.toWellFormed(),
      arguments: typeof args === 'string' ? args.toWellFormed() : JSON.stringify(args ?? {}),
    },
  };
  return [{ sent, call: read }];
}

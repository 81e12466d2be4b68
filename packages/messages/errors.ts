import { chatErrors } from '@errand/chat';
import type { Envelope, ErrorAnswer, ErrorTable, Issue } from '@errand/platform';

/** Where a field of a chat completion is in a request of this protocol. */
const places: readonly [RegExp, string][] = [
  [/^max_completion_tokens$/, 'max_tokens'],
  [/^response_format\b.*/, 'output_config.format'],
  [/^reasoning_effort$/, 'output_config.effort'],
  [/^parallel_tool_calls$/, 'tool_choice.disable_parallel_tool_use'],
  [/^stop\b/, 'stop_sequences'],
  [/^user$/, 'metadata.user_id'],
  [/^tools(\[\d+\])\.function\.parameters\b/, 'tools$1.input_schema'],
  [/^tools(\[\d+\])\.function\b\.?/, 'tools$1.'],
];

const placeOf = (field: string): string =>
  places.reduce((place, [pattern, here]) => place.replace(pattern, here), field);

const placed = (issue: Issue): Issue => ({ ...issue, field: placeOf(issue.field) });

/** Clients of the protocol know by these words that they have to shorten a conversation. */
const tooLong = 'prompt is too long: ';

const withMessage = (answer: ErrorAnswer, message: string): ErrorAnswer => {
  const { error } = answer.body as Envelope;
  return { ...answer, body: { error: { ...error, message } } };
};

/** An answer with a 503 that a later request will meet again. */
const ofService = (answer: ErrorAnswer): ErrorAnswer => {
  const { body } = answer;
  const told = typeof body === 'string' ? { error: body } : body;
  return { ...answer, body: { ...told, type: 'api_error' } };
};

/** A conversation that a provider keeps. */
export const threadField = 'thread';

/** Anthropic's client knows by these words that it has to send the whole conversation, and its tool runner does. */
const noThreads = { error_code: 'thread_unsupported_request', unsupported: [threadField] };

/** Status and body of each refusal: chat's, with the fields of the caller's request. */
export const messagesErrors: ErrorTable = {
  ...chatErrors,
  invalid_request: ({ issues }) => {
    const answer = chatErrors.invalid_request({ issues: issues.map(placed) });
    const isOfThread = issues.some(({ field }) => field === threadField);
    return isOfThread ? { ...answer, body: { ...(answer.body as Envelope), details: noThreads } } : answer;
  },
  context_length_exceeded: (details) =>
    withMessage(
      chatErrors.context_length_exceeded(details),
      `${tooLong}${details.moreThanTokens} tokens > ${details.limitTokens} maximum`,
    ),
  upstream_refused: ({ message, code, param }) => {
    const said = code === 'context_length_exceeded' ? `${tooLong}${message}` : message;
    return chatErrors.upstream_refused({ message: said, code, param: param && placeOf(param) });
  },
  // Clients ask again when a provider has too much to do.
  upstream_misconfigured: () => ofService(chatErrors.upstream_misconfigured(undefined)),
  skills_disabled: () => ofService(chatErrors.skills_disabled(undefined)),
};

/** An error as the protocol has it. */
interface ProtocolError {
  type: 'error';
  error: { type: string; message: string; code?: string };
  request_id: string;
  [field: string]: unknown;
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

const typeOf = (status: number): string =>
  types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

/** The answer in the protocol's envelope. What an error says beside its message stands beside it here, too. */
export function shapeError(answer: ErrorAnswer, requestId: string): ErrorAnswer {
  const { body, status } = answer;
  const { error = '', ...more } = typeof body === 'string' ? { error: body } : (body as { error?: unknown });
  const { message, code } = (typeof error === 'string' ? { message: error } : error) as {
    message: string;
    code?: string | null;
  };
  const told = { type: typeOf(status), message, ...(code && { code }), ...more };
  const shaped: ProtocolError = { type: 'error', error: told, request_id: requestId };
  return { ...answer, body: shaped };
}

/** By the code of an error that comes in a stream, where no status says what it is. */
const streamTypes: Readonly<Record<string, number>> = { at_capacity: 503, stopping: 503, unauthorized: 401 };

/** The event of a stream that has failed. */
export function streamError({ error }: Envelope, requestId: string): ProtocolError {
  const { code, type, message } = error;
  const status = streamTypes[code ?? ''] ?? (type === 'invalid_request_error' ? 400 : 500);
  return shapeError({ status: status as 500, body: { error: { message, code } } }, requestId)
    .body as ProtocolError;
}

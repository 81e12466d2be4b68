import { changedAgent, runIfMatch } from '@errand/agents';
import {
  agentAnswer,
  envelopeSchema,
  jsonAnswer,
  jsonContent,
  limits,
  mayHave,
  named,
  type RouteDescription,
  refusalSchema,
  skillAnswer,
  slowBodyMessage,
  textContent,
  textParameter,
  unpaidSchema,
} from '@errand/platform';
import * as v from 'valibot';
import { responseEvent } from './openapi/events.ts';
import * as example from './openapi/examples.ts';
import { response } from './openapi/response.ts';
import { responseRequest } from './request/schema.ts';

const envelope = (message: string, code: string | null, param: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

const refusalOrEnvelope = v.union([refusalSchema, envelopeSchema]);

export { cancelResponse, deleteResponse, getResponse, listInputItems } from './by-id-descriptions.ts';

export const createResponse: RouteDescription = {
  summary: 'Create a response, streamed or in one piece',
  description: [
    "Takes OpenAI's Responses request. A field whose answer would be another if it were ignored is a 400 that names it.",
    `The model \`agent:default\` is a run, as is \`agent:\` with the name of a stored agent, and its version after an \`@\`: the id of the response is that of the run, \`background: true\` answers at once, and who waits is answered with \`status\` \`in_progress\` after ${limits.answerMilliseconds / 1000} s. With \`previous_response_id\` it goes on from a run that has ended: its \`function_call\` and \`mcp_approval_request\` items are answered by \`function_call_output\` and \`mcp_approval_response\`. \`store: false\` is refused: a run is kept.`,
    'With `stream: true`, server-sent events that are named by their `type`. The last has the whole response with `usage` and `impact`; an answer that broke off ends with `response.failed`.',
    `Unless \`store\` is false, it is kept for ${limits.responseKeptSeconds / 3600} hours, for the key that asked alone.`,
  ].join('\n\n'),
  tag: 'responses',
  body: jsonContent(named('ResponseRequest', responseRequest), example.request),
  headers: {
    ...runIfMatch,
    'Idempotency-Key': textParameter(
      `The same key with the same body answers with the same run, for ${limits.runReadableSeconds / 3600} hours, or for longer where runs are kept longer. Chat models do not read it.`,
      'order-1',
      limits.idempotencyKeyCharacters,
    ),
  },
  // The headers of a skill stand on errors, too, that come after it was resolved.
  responses: mayHave([...agentAnswer, ...skillAnswer], {
    200: {
      description: 'The response, or with `stream: true` its events.',
      content: {
        'application/json': { schema: response, example: example.answer },
        'text/event-stream': { schema: responseEvent, example: example.event },
      },
      optionalHeaders: ['X-Credits-Remaining'],
    },
    400: jsonAnswer(
      'The request, its model or its skill is not valid, or its text is longer than its model reads.',
      envelopeSchema,
      envelope('conversation: is not kept here', 'invalid_request', 'conversation'),
    ),
    402: {
      ...jsonAnswer(
        'No credits are left, or a budget is spent; `error` is an object where it is a budget.',
        v.union([unpaidSchema, envelopeSchema]),
        { error: 'No remaining credits (EUR)', available: '0', needed: '0.0068' },
      ),
      optionalHeaders: ['Retry-After'],
    },
    403: jsonAnswer(
      'The key may not be used for this, or not with this model or agent.',
      envelopeSchema,
      envelope('This key may not use the model "writer".', 'model_forbidden', 'model'),
    ),
    404: jsonAnswer(
      'What the request follows or refers to is not kept here for this key.',
      envelopeSchema,
      envelope('There is no such previous response.', 'previous_response_not_found', 'previous_response_id'),
    ),
    408: jsonAnswer(
      'The body did not arrive in time.',
      envelopeSchema,
      envelope(slowBodyMessage, 'body_too_slow'),
    ),
    409: {
      ...jsonAnswer(
        'The `Idempotency-Key` was used with another body, or its first request is still being worked on. Or no run can go on from `previous_response_id`: it has not ended, it is not kept in full, its chain is full, or its calls were approved before.',
        envelopeSchema,
        envelope('This Idempotency-Key was used with another request body.', 'idempotency_conflict'),
      ),
      optionalHeaders: ['Retry-After'],
    },
    412: jsonAnswer(changedAgent.description, envelopeSchema, changedAgent.body),
    413: jsonAnswer(
      'The body or its file is too large.',
      envelopeSchema,
      envelope(`The request body is larger than ${limits.jsonBodyBytes} bytes.`, 'body_too_large'),
    ),
    415: jsonAnswer(
      "The ending of a run's file is not accepted.",
      envelopeSchema,
      envelope('Files ending in .xyz are not accepted. Accepted: .png, .jpg', 'extension_not_accepted'),
    ),
    502: jsonAnswer('The file of a run could not be read.', envelopeSchema, {
      error: {
        message: 'The file is named .pdf but its content is a PNG image.',
        type: 'server_error',
        param: null,
        code: 'upload_unreadable',
      },
    }),
    503: {
      description:
        'No capacity, or the server is stopping, in which case `error` is an object. Text where a skill is named and skills are not switched on.',
      content: {
        ...jsonContent(refusalOrEnvelope, { error: 'Service temporarily at capacity. Please retry.' }),
        ...textContent('Skills are not enabled'),
      },
      optionalHeaders: ['Retry-After', 'X-Should-Retry'],
    },
    504: {
      ...jsonAnswer('The model did not answer in time; streams have no such limit.', envelopeSchema, {
        error: {
          message: 'The model did not answer in time. Streaming has no such limit.',
          type: 'server_error',
          param: null,
          code: 'timeout',
        },
      }),
      headers: ['X-Should-Retry'],
    },
  }),
};

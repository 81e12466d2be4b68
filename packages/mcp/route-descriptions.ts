import { jsonAnswer, jsonContent, limits, type RouteDescription, slowBodyMessage } from '@errand/platform';
import { rpcCodes, rpcError } from './errors.ts';
import { answeredMessage, sentMessage } from './message-schema.ts';

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'ask', arguments: { question: 'What is the capital of France?' } },
};
const answer = {
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: 'Paris' }], structuredContent: { status: 'succeeded' } },
};
const refused = (description: string, code: number, words: string) =>
  jsonAnswer(description, answeredMessage, rpcError(code, words));

export const callMcp: RouteDescription = {
  summary: 'Use the service as an MCP server',
  description:
    'Streamable HTTP of the Model Context Protocol, without sessions: each request is a message of its own. The protocol describes the messages; `tools/list` describes the tools.',
  tag: 'mcp',
  body: jsonContent(sentMessage, call),
  responses: {
    200: {
      ...jsonAnswer('The answer; as events where there is progress to tell.', answeredMessage, answer),
      content: {
        ...jsonContent(answeredMessage, answer),
        'text/event-stream': { schema: answeredMessage, example: answer },
      },
    },
    202: { description: 'A notification was taken.' },
    400: refused(
      'A message that cannot be read, or of another version.',
      rpcCodes.parse,
      'Malformed JSON in request body',
    ),
    401: {
      ...refused('The key is missing, unknown, revoked or expired.', rpcCodes.invalidRequest, 'Unauthorized'),
      headers: ['WWW-Authenticate'],
    },
    406: refused(
      '`Accept` lacks `application/json` or `text/event-stream`.',
      rpcCodes.invalidRequest,
      'Not Acceptable',
    ),
    408: refused('The body did not arrive in time.', rpcCodes.invalidRequest, slowBodyMessage),
    413: refused(
      'The body is too large.',
      rpcCodes.invalidRequest,
      `The request body is larger than ${limits.jsonBodyBytes} bytes.`,
    ),
    415: refused('The body is not JSON.', rpcCodes.invalidRequest, 'Unsupported Media Type'),
    429: {
      ...refused(
        'The requests of this window are used up.',
        rpcCodes.invalidRequest,
        'Too many requests, please try again later.',
      ),
      headers: ['Retry-After'],
    },
    500: refused(
      'An unexpected failure; a retry may meet it again.',
      rpcCodes.internal,
      'Internal server error',
    ),
    503: {
      ...refused(
        'A store fails or does not answer, or the server is stopping; retry.',
        rpcCodes.internal,
        'Service temporarily at capacity. Please retry.',
      ),
      headers: ['Retry-After'],
    },
  },
};

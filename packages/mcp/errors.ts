import {
  commonErrors,
  type ErrorAnswer,
  type ErrorTable,
  errorCodes,
  plainErrors,
  plainIssues,
  unexpectedErrors,
} from '@errand/platform';

/** JSON-RPC's own codes. */
export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

export const rpcError = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id,
});

/** The same refusal in JSON-RPC's words. */
const inRpc = ({ status, body, headers }: ErrorAnswer, code: number): ErrorAnswer => ({
  status,
  body: rpcError(code, wordsOf(body)),
  headers,
});

export function wordsOf(body: string | object): string {
  if (typeof body === 'string') return body;
  const { error } = body as { error?: unknown };
  return error instanceof Object && 'message' in error ? String(error.message) : String(error);
}

/** What is refused before a message is read. Refusals of tools are results, which a model reads. */
export const mcpErrors: ErrorTable = {
  ...plainErrors,
  ...unexpectedErrors(...errorCodes.models),
  unauthorized: (details) => inRpc(commonErrors.unauthorized(details), rpcCodes.invalidRequest),
  rate_limited: (details) => inRpc(commonErrors.rate_limited(details), rpcCodes.invalidRequest),
  malformed_json: () => inRpc(commonErrors.malformed_json(), rpcCodes.parse),
  body_too_large: (details) => inRpc(commonErrors.body_too_large(details), rpcCodes.invalidRequest),
  body_too_slow: () => inRpc(commonErrors.body_too_slow(), rpcCodes.invalidRequest),
  nested_too_deep: (details) => inRpc(commonErrors.nested_too_deep(details), rpcCodes.invalidRequest),
  invalid_request: (details) => inRpc(plainIssues.invalid_request(details), rpcCodes.invalidRequest),
  store_unavailable: () => inRpc(commonErrors.store_unavailable(), rpcCodes.internal),
  stopping: () => inRpc(commonErrors.stopping(), rpcCodes.internal),
};

export const unexpectedAnswer: ErrorAnswer = {
  status: 500,
  body: rpcError(rpcCodes.internal, 'Internal server error'),
};

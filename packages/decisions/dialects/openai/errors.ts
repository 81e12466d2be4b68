import {
  type Envelope,
  type ErrorAnswer,
  type ErrorCode,
  type ErrorDetails,
  type ErrorTable,
  requestError,
  serverError,
} from '@errand/platform';
import { systemOneErrors } from '../system-one/errors.ts';

/** The field of a request that each refusal is about. */
const fields: Partial<Record<ErrorCode, string>> = {
  model_not_found: 'model',
  model_kind_unsupported: 'model',
  model_forbidden: 'model',
  input_unsupported: 'input',
  context_length_exceeded: 'input',
};

/** The statuses, words and headers of `POST /v1/systemone`, in OpenAI's envelope. */
export const openAiErrors = Object.fromEntries(
  Object.entries(systemOneErrors).map(([code, answer]: [string, (details: never) => ErrorAnswer]) => [
    code,
    (details: never) => toEnvelope(code as ErrorCode, details, answer(details)),
  ]),
) as unknown as ErrorTable;

/** A failure that nobody foresaw. */
export const openAiInternalError: ErrorAnswer = {
  status: 500,
  body: serverError('Internal server error', 'internal_error'),
};

function toEnvelope(code: ErrorCode, details: unknown, answer: ErrorAnswer): ErrorAnswer {
  const { body, status } = answer;
  const said = typeof body === 'string' ? { error: body } : (body as { error: string; code?: string });
  const { error, code: named = code, ...beside } = said;
  const envelope: Envelope =
    status < 500 ? requestError(error, named, paramOf(code, details)) : serverError(error, named);
  return { ...answer, body: { ...envelope, ...beside } };
}

function paramOf(code: ErrorCode, details: unknown): string | null {
  if (code !== 'invalid_request') return fields[code] ?? null;
  const { issues } = details as ErrorDetails['invalid_request'];
  return issues.find(({ field }) => field !== '')?.field ?? null;
}

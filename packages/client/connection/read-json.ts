import { ErrandError } from '../errors.ts';
import { connectionError } from './connection.ts';
import { readText } from './read-text.ts';

type Fields = Record<string, unknown>;

/** An answer that a service of this interface does not give: another program may have answered in its place. */
export const strangeAnswer = (what: string, response?: Response, body?: unknown): ErrandError => {
  const requestId = response?.headers.get('X-Request-Id');
  return new ErrandError(what, {
    status: response?.status ?? 200,
    ...(requestId && { requestId }),
    body,
  });
};

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text of the service that must be a JSON object. */
export function parseObject(text: string, response?: Response): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error below says what is wrong.
  }
  if (isObject(value)) return value;
  throw strangeAnswer('The service answered with something else than a JSON object.', response, text);
}

/** The whole body of an answer. */
export const readBody = (response: Response, signal?: AbortSignal | undefined): Promise<string> =>
  readText(response).catch((error: unknown) => {
    throw error instanceof ErrandError ? error : connectionError(error, signal, 'The connection broke off.');
  });

export const readJson = async <T>(response: Response, signal?: AbortSignal | undefined): Promise<T> =>
  parseObject(await readBody(response, signal), response) as T;

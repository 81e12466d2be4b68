import { type ErrandError, errorOf } from '../errors.ts';
import { readText } from './read-text.ts';

interface Words {
  message?: string;
  code?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** What a body says, in each of the forms that the service's families of routes have. */
export function readWords(body: unknown): Words {
  if (!isObject(body)) return { ...wordsOf(textOf(body)) };
  const { error } = body;
  const code = textOf(isObject(error) ? error.code : body.code);
  return { ...wordsOf(textOf(isObject(error) ? error.message : error)), ...(code && { code }) };
}

const wordsOf = (message: string | undefined): Words => (message === undefined ? {} : { message });

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `Retry-After` in milliseconds, whether it has seconds or a date. */
function readRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  const milliseconds = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** A page of HTML, such as a proxy sends, tells a reader nothing. */
const isReadable = (response: Response) => !response.headers.get('Content-Type')?.includes('text/html');

/** Why a key is refused that was there, to whoever sends the whole of it. */
const reasonOf = (challenge: string | null): string | undefined =>
  /^Bearer .*error_description="([^"]+)"/.exec(challenge ?? '')?.[1];

/** The error that a response with a status from 400 stands for. */
export async function readRefusal(response: Response): Promise<ErrandError> {
  const body = parseBody(await readText(response).catch(() => ''));
  const { message, code } = isReadable(response) ? readWords(body) : {};
  const requestId = response.headers.get('X-Request-Id');
  const retryAfterMilliseconds = readRetryAfter(response.headers.get('Retry-After'));
  const reason = reasonOf(response.headers.get('WWW-Authenticate'));
  return errorOf(reason ?? message ?? `The service answered ${response.status}.`, {
    status: response.status,
    body,
    code,
    ...(requestId !== null && { requestId }),
    retryAfterMilliseconds,
  });
}

import { ErrandError } from '@errand/client';
import { nameFields } from './field-words.ts';
import { formatDuration } from './time.ts';

interface ErrorWords {
  title: string;
  /** What the service said. */
  detail?: string;
  /** Words on when a retry is worthwhile. */
  retry?: string;
  requestId?: string;
}

const titles: Record<number, string> = {
  401: 'The key is not accepted.',
  402: 'There is too little left to pay for this.',
  403: 'This key may not do that.',
  404: 'It is not there, or not for this key.',
  408: 'It took too long to arrive.',
  409: 'That does not go together with what is there.',
  410: 'It is gone.',
  412: 'Somebody has changed it in the meantime.',
  413: 'That is too large.',
  415: 'Files of this type are not read.',
  429: 'Too many requests.',
};

export function errorWords(error: unknown): ErrorWords {
  if (!(error instanceof ErrandError))
    return { title: 'That did not work.', ...(error instanceof Error && { detail: error.message }) };
  const { status, message, requestId, retryAfterMilliseconds: pause } = error;
  return {
    title: titles[status] ?? titleOf(status),
    ...(status > 0 && message && { detail: nameFields(message) }),
    ...(pause !== undefined && { retry: `Worth another try in ${formatDuration(pause)}.` }),
    requestId: requestId || undefined,
  };
}

function titleOf(status: number): string {
  if (status >= 500) return 'The service cannot answer at the moment.';
  if (status >= 400) return 'The request is not accepted.';
  return 'The service cannot be reached.';
}

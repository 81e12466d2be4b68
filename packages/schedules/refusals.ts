import { answerOf, type DomainError, type ErrorCode, type ErrorTable, limits } from '@errand/platform';

/** Refusals that say nothing against the request: it is tried again. */
const passing: readonly ErrorCode[] = [
  'store_unavailable',
  'queue_unavailable',
  'storage_unavailable',
  'idempotency_busy',
  'stopping',
  'at_capacity',
  'timed_out',
  'unreadable_answer',
];

export const isPassing = ({ code }: DomainError): boolean => passing.includes(code);

/** A refusal in the words that a request would be answered with. */
export function wordsOf(table: ErrorTable, error: DomainError): string {
  const { body, status } = answerOf(table, error);
  const told = body as string | { error?: unknown };
  const words = typeof told === 'string' ? told : told.error;
  // Codes that no route of runs answers have no words there.
  return status === 500 || typeof words !== 'string' ? error.code : words.slice(0, limits.markCharacters);
}

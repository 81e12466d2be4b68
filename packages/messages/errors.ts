import type { ErrorAnswer, ErrorTable } from '@errand/platform';
import type { Context } from 'hono';

/** Status and body of each refusal, with the fields of the caller's request. */
export const messagesErrors = {} as ErrorTable;

/** An answer in the protocol's envelope. */
export function shapeError(_answer: ErrorAnswer, _c: Context): ErrorAnswer {
  throw new Error('to be written');
}

import { strangeAnswer } from '../../connection/read-json.ts';
import { UnauthorizedError } from '../../errors.ts';

/** Only an answer of another form than the service's document has makes a command trip over a value. */
const isOfAnotherForm = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

/** The service says of a key that was never there only that it is not taken. */
const unknownKey =
  'The service does not know this key. Check ERRAND_API_KEY, or run `errand login` with another one.';

export const messageOf = (error: unknown): string => {
  if (error instanceof UnauthorizedError && error.message === 'Unauthorized') return unknownKey;
  return error instanceof Error ? error.message : String(error);
};

/** A failure in words that a person can use. */
export const asToldFailure = (error: unknown): unknown =>
  isOfAnotherForm(error) ? strangeAnswer('The service answered in a form that errand does not know.') : error;

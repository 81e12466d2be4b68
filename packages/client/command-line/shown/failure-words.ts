import { strangeAnswer } from '../../connection/read-json.ts';

/** Only an answer of another form than the service's document has makes a command trip over a value. */
const isOfAnotherForm = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

/** A failure in words that a person can use. */
export const asToldFailure = (error: unknown): unknown =>
  isOfAnotherForm(error) ? strangeAnswer('The service answered in a form that errand does not know.') : error;

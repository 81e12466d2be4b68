import { strangeAnswer } from '../../connection/read-json.ts';
import { InvalidRequestError, NotFoundError, UnauthorizedError } from '../../errors.ts';

/** Only an answer of another form than the service's document has makes a command trip over a value. */
const isOfAnotherForm = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

/** Where the key in use came from, and what helps if it is the wrong one. */
const keySources = {
  option: 'It was given with --key. Give another one.',
  variable: 'It is in ERRAND_API_KEY. Set another one.',
  saved: 'It is the one that `errand login` saved. Run it with another one.',
  typed: 'It was typed or piped in. Give another one.',
} as const;

export type KeySource = keyof typeof keySources;

/** The service says of a key that was never there only that it is not taken. */
export const messageOf = (error: unknown, keySource: KeySource): string => {
  if (error instanceof UnauthorizedError && error.message === 'Unauthorized')
    return `The service does not know this key. ${keySources[keySource]}`;
  return error instanceof Error ? error.message : String(error);
};

/** The service says only that nothing was found. Throws what was looked for. */
export const throwMissing =
  (what: string) =>
  (error: unknown): never => {
    if (error instanceof NotFoundError && error.message === 'Not found')
      throw new NotFoundError(`There is no ${what} for this key.`, error);
    throw error;
  };

/** Throws a refusal with the options' names in the place of the fields that they give. */
export const throwWithOptions =
  (options: Record<string, string>) =>
  (error: unknown): never => {
    if (!(error instanceof InvalidRequestError)) throw error;
    const named = (field: string, name: string, index = '0') => {
      const place = Number(index) > 0 ? ` (number ${Number(index) + 1})` : '';
      return Object.hasOwn(options, name) ? `${options[name]}${place}` : field;
    };
    throw new InvalidRequestError(error.message.replace(/^(\w+)(?:\[(\d+)\])?(?=[:.])/gm, named), error);
  };

/** A failure in words that a person can use. */
export const asToldFailure = (error: unknown): unknown =>
  isOfAnotherForm(error) ? strangeAnswer('The service answered in a form that errand does not know.') : error;

import { fieldIssue } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of parsed JSON is an object. */
export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text under a name of a request's object, which is at `at`. Throws `invalid_request`. */
export function stringField(fields: Fields, name: string, at: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw fieldIssue(`${at}.${name}`, 'must be a string');
  return value;
}

/** The fields that are there. */
export const given = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

import { fieldIssue } from './errors.ts';

/** The cursor of a page, which callers need not understand. */
export const encodeCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** The position in a cursor, as `read` understands it. Throws `invalid_request` if `read` returns undefined. */
export function decodeCursor<T>(
  cursor: string,
  read: (position: string) => T | undefined,
  problem = 'is not one of ours',
): T {
  const position = read(Buffer.from(cursor, 'base64url').toString());
  if (position === undefined) throw fieldIssue('cursor', problem);
  return position;
}

import { limits, validate, wholeNumber } from '@errand/platform';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { Precondition } from './entity-tag.ts';

export function readPrecondition(c: Pick<Context, 'req'>): Precondition {
  const ifMatch = c.req.header('If-Match');
  return ifMatch === undefined ? {} : { ifMatch };
}

/** Reads a version number from a path. Text that is not a number becomes 0, which no published version has. */
export const readVersionNumber = (text = ''): number => (/^\d{1,12}$/.test(text) ? Number(text) : 0);

const versionsPageSchema = v.object({
  limit: wholeNumber(1, limits.skillVersionsPerPage, limits.skillVersionsPerPage),
});

/** Throws `invalid_request` for a wrong `limit`. */
export function readVersionsPage(c: Context): { limit: number; below?: number } {
  const { limit } = validate(versionsPageSchema, c.req.query());
  const cursor = readVersionNumber(c.req.query('cursor'));
  return { limit, ...(cursor >= 1 && { below: cursor }) };
}

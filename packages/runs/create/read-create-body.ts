import { fieldIssue, limits, parseJson, readJsonText, validate } from '@errand/platform';
import type { Context } from 'hono';
import { type CreateRunBody, createRunSchema } from '../schema.ts';

/** Reads a request that came as JSON: its body, and the text by which a repetition is recognised. */
export async function readCreateBody(c: Context): Promise<{ body: CreateRunBody; text: string }> {
  const type = c.req.header('Content-Type') ?? 'application/json';
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw fieldIssue('Content-Type', 'must be application/json or multipart/form-data');
  }
  const text = await readJsonText(c, limits.jsonBodyBytes);
  return { body: validate(createRunSchema, parseJson(text)), text };
}

const visibleAscii = /^[\x21-\x7e]+$/;

/** The caller's Idempotency-Key. Undefined if none was sent. Throws `invalid_request` if it is malformed. */
export function readIdempotencyKey(c: Pick<Context, 'req'>): string | undefined {
  const key = c.req.header('Idempotency-Key');
  if (key === undefined) return undefined;
  if (visibleAscii.test(key) && key.length <= limits.idempotencyKeyCharacters) return key;
  const problem = `must be 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters`;
  throw fieldIssue('Idempotency-Key', problem);
}

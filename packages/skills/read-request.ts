import { limits, parseJson, readBody, readJsonText, validate, wholeNumber } from '@errand/platform';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { Precondition } from './entity-tag.ts';
import { type NewSkill, type SkillPatch, validateNewSkill, validateSkillPatch, wrongBody } from './schema.ts';
import { parseSkillMarkdown } from './skill-markdown.ts';

export const markdownType = 'text/markdown';

/**
 * Reads a new skill from JSON or, with the content type `text/markdown`, from a `SKILL.md`. Throws what
 * `validateNewSkill` throws.
 */
export async function readNewSkill(c: Context): Promise<NewSkill> {
  const type = c.req.header('Content-Type') ?? '';
  const isMarkdown = /^\s*text\/markdown\s*(;|$)/i.test(type);
  return validateNewSkill(isMarkdown ? parseSkillMarkdown(await readText(c)) : await readJson(c));
}

export const readSkillPatch = async (c: Context): Promise<SkillPatch> =>
  validateSkillPatch(await readJson(c));

export function readPrecondition(c: Pick<Context, 'req'>): Precondition {
  const ifMatch = c.req.header('If-Match');
  return ifMatch === undefined ? {} : { ifMatch };
}

/** Reads a version number from a path. Text that is not a number becomes 0, which no published version has. */
export const readVersionNumber = (text: string): number => (/^\d{1,12}$/.test(text) ? Number(text) : 0);

const versionsPageSchema = v.object({
  limit: wholeNumber(1, limits.skillVersionsPerPage, limits.skillVersionsPerPage),
});

/** Throws `invalid_request` for a wrong `limit`. */
export function readVersionsPage(c: Context): { limit: number; below?: number } {
  const { limit } = validate(versionsPageSchema, c.req.query());
  const cursor = readVersionNumber(c.req.query('cursor') ?? '');
  return { limit, ...(cursor >= 1 && { below: cursor }) };
}

const readJson = async (c: Context): Promise<unknown> => parseJson(await readJsonText(c));

async function readText(c: Context): Promise<string> {
  const bytes = await readBody(c, limits.jsonBodyBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongBody('must be valid UTF-8');
  }
}

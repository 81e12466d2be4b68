import { limits, parseJson, readBody, readJsonText } from '@errand/platform';
import { wrongBody } from '@errand/versions';
import type { Context } from 'hono';
import { type NewSkill, type SkillPatch, validateNewSkill, validateSkillPatch } from './schema.ts';
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

const readJson = async (c: Context): Promise<unknown> => parseJson(await readJsonText(c));

async function readText(c: Context): Promise<string> {
  const bytes = await readBody(c, limits.jsonBodyBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongBody('must be valid UTF-8');
  }
}

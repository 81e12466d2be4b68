import { checkRoute, mayUse } from '@errand/accounts';
import { isDomainError } from '@errand/platform';
import type { McpContext, McpDeps } from './deps.ts';
import { findSkill, usableSkills } from './find-skill.ts';

const scheme = 'skill://';
const mimeType = 'text/markdown';

/** The skills that requests of this key may name. */
export async function listResources({ skills }: McpDeps, c: McpContext) {
  const { principal } = c.var;
  const isOffered = skills.skillsEnabled && mayUse(principal, 'skills');
  const usable = isOffered ? await usableSkills(skills, principal) : [];
  return {
    resources: usable.map(({ name, description, updatedAt }) => ({
      uri: `${scheme}${name}`,
      name,
      description: description || undefined,
      mimeType,
      annotations: { lastModified: updatedAt },
    })),
  };
}

/** The instructions of a skill; undefined if there is no such resource. */
export async function readResource({ skills }: McpDeps, c: McpContext, uri: string) {
  const { principal } = c.var;
  if (!skills.skillsEnabled || !uri.startsWith(scheme)) return undefined;
  checkRoute(principal, 'skills');
  try {
    const { instructions: text } = await findSkill(skills, principal, uri.slice(scheme.length));
    return [{ uri, mimeType, text }];
  } catch (error) {
    if (isDomainError(error, 'skill_not_found')) return undefined;
    throw error;
  }
}

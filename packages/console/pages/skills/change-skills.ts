import { errand } from '../../session/session.ts';
import type { Skill } from './skills-state.ts';

export interface SkillDraft {
  name: string;
  description: string;
  instructions: string;
}

/** A skill with the tag of the state in which it was read: a change of another one is not overwritten. */
export interface TaggedSkill {
  skill: Skill;
  etag: string;
}

const markdown = 'text/markdown';

export async function readSkill(id: string): Promise<TaggedSkill> {
  const { data, response } = await errand().api.GET('/v1/skills/{id}', {
    params: { path: { id } },
    headers: { Accept: 'application/json' },
  });
  return { skill: data as Skill, etag: response.headers.get('ETag') ?? '*' };
}

export async function createSkill(draft: SkillDraft): Promise<Skill> {
  return (await errand().api.POST('/v1/skills', { body: draft })).data;
}

/** Makes a skill of the text of a SKILL.md. */
export async function importSkill(text: string): Promise<Skill> {
  const { data } = await errand().api.POST('/v1/skills', {
    body: text,
    bodySerializer: (body) => body as unknown as string,
    headers: { 'Content-Type': markdown },
  });
  return data;
}

/** The skill as a SKILL.md. */
export async function exportSkill(id: string): Promise<string> {
  const { data } = await errand().api.GET('/v1/skills/{id}', {
    params: { path: { id } },
    headers: { Accept: markdown },
    parseAs: 'text',
  });
  return String(data);
}

export const changeSkill = async (
  { skill: { id }, etag }: TaggedSkill,
  body: Partial<SkillDraft> & { enabled?: boolean },
): Promise<void> =>
  void (await errand().api.PATCH('/v1/skills/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
    body,
  }));

export const deleteSkill = async ({ skill: { id }, etag }: TaggedSkill): Promise<void> =>
  void (await errand().api.DELETE('/v1/skills/{id}', {
    params: { path: { id }, header: { 'If-Match': etag } },
  }));

export const restoreVersion = async ({ skill: { id }, etag }: TaggedSkill, number: number): Promise<void> =>
  void (await errand().api.POST('/v1/skills/{id}/versions/{number}/restore', {
    params: { path: { id, number: String(number) }, header: { 'If-Match': etag } },
  }));

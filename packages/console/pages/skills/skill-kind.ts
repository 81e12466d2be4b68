import type { components } from '@errand/client';
import type { NamedDraft, NamedKind } from '../../named/kind.ts';
import { NamedFields } from '../../named/named-fields.tsx';
import { newDraft } from '../../named/new-named.tsx';
import { errand } from '../../session/session.ts';

type Schemas = components['schemas'];
type Skill = Schemas['Skill'];

const markdown = 'text/markdown';

export const skillKind: NamedKind<Skill, NamedDraft, Schemas['SkillVersion']> = {
  noun: 'skill',
  room: 'skills',
  key: 'id',
  idOf: ({ id }) => id,
  nothing: { name: '', description: '', instructions: '' },
  draftOf: ({ name, description, instructions }) => ({ name, description, instructions }),
  toNew: (draft) => draft,
  toPatch: (draft) => draft,
  textOf: ({ instructions }) => instructions,
  Fields: NamedFields,
};

export const newSkill = newDraft(skillKind);

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

import type { components } from '@errand/client';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';

type Schemas = components['schemas'];
export type Skill = Schemas['Skill'];
export type SkillSummary = Schemas['SkillSummary'];
export type SkillVersion = Schemas['SkillVersion'];
export type SkillVersionSummary = Schemas['SkillVersionSummary'];

export const skills = perKey(() => resource(async ({ api }) => (await api.GET('/v1/skills')).data.skills));

export const isOwn = ({ scope }: Pick<Skill, 'scope'>): boolean => scope === 'user';

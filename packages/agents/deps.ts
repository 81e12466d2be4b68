import type { SkillsDeps } from '@errand/skills';

export type AgentsDeps = Omit<SkillsDeps, 'skillsEnabled'>;

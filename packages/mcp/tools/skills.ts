import { described, plainErrors, textField } from '@errand/platform';
import { skillDetailSchema, skillFieldErrors, skillSummarySchema } from '@errand/skills';
import * as v from 'valibot';
import { findSkill, usableSkills } from '../find-skill.ts';
import { defineTool } from '../tool.ts';

const errors = {
  ...plainErrors,
  ...skillFieldErrors,
  skill_not_found: () => ({ status: 404, body: 'There is no such skill.' }) as const,
};

export const listSkillsTool = defineTool({
  name: 'list_skills',
  title: 'List skills',
  description: 'Lists the instruction sets that ask can be shaped by, by name.',
  family: 'skills',
  annotations: { readOnlyHint: true, openWorldHint: false },
  arguments: v.object({}),
  answer: v.object({ skills: described('By name.', v.array(v.object(skillSummarySchema.entries))) }),
  isOffered: ({ skills }) => skills.skillsEnabled,
  errors,
  async run(_args, { deps, c }) {
    const skills = await usableSkills(deps.skills, c.var.principal);
    const lines = skills.map(({ name, description }) => `- ${name}${description && `: ${description}`}`);
    return { text: lines.join('\n') || 'There are no skills.', data: { skills } };
  },
});

export const getSkillTool = defineTool({
  name: 'get_skill',
  title: 'Read a skill',
  description: 'Gives the instructions of a skill.',
  family: 'skills',
  annotations: { readOnlyHint: true, openWorldHint: false },
  arguments: v.object({ name: textField('The name of the skill.') }),
  answer: v.object(skillDetailSchema.entries),
  isOffered: ({ skills }) => skills.skillsEnabled,
  errors,
  async run({ name }, { deps, c }) {
    const skill = await findSkill(deps.skills, c.var.principal, name);
    return { text: skill.instructions, data: { ...skill } };
  },
});

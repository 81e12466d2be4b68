import {
  jsonAnswer,
  jsonContent,
  limits,
  named,
  numberParameter,
  type RouteDescription,
  refusalSchema,
  routeForbidden,
  textAnswer,
  textContent,
  textParameter,
} from '@errand/platform';
import * as v from 'valibot';
import {
  instructionsTooLongSchema,
  newSkillSchema,
  skillDetailSchema,
  skillListSchema,
  skillPatchSchema,
  versionDetailSchema,
  versionListSchema,
} from './schema.ts';

const summary = {
  id: 'skill_1',
  name: 'tone',
  description: 'How we write.',
  enabled: true,
  scope: 'user',
  version: 3,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:05:00.000Z',
};
const skill = { ...summary, instructions: 'Write short sentences.' };
const markdown = '---\nname: tone\ndescription: How we write.\n---\nWrite short sentences.\n';
const version = {
  number: 3,
  digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt: '2026-11-21T10:05:00.000Z',
  tokens: 42,
};

const skillSchema = named('Skill', skillDetailSchema);
const off = {
  ...jsonAnswer(
    'A store fails or does not answer; retry. Text where skills are not switched on.',
    refusalSchema,
    {
      error: 'Service temporarily at capacity. Please retry.',
    },
  ),
  optionalHeaders: ['Retry-After'],
} as const;
const always = {
  ...routeForbidden('skills'),
  503: {
    ...off,
    name: 'SkillsUnavailable',
    content: { ...off.content, ...textContent('Skills are not enabled') },
  },
};
const notFound = {
  404: textAnswer('There is no such skill, or none that the caller may see or change.', 'Skill not found'),
};
const stale = {
  412: textAnswer(
    'The skill is not as `If-Match` expects.',
    'The resource has changed since the given ETag.',
  ),
};
const ifMatch = {
  'If-Match': textParameter(
    'Entity tags that the skill must still have; without it the last write wins.',
    '"3-skill_1"',
  ),
};
const invalid = {
  400: {
    description: 'What is wrong, one line each; JSON for instructions that are too long.',
    content: {
      ...textContent('Invalid skill:\nname: is required'),
      ...jsonContent(named('InstructionsTooLong', instructionsTooLongSchema), {
        error: {
          message: `instructions may have ${limits.skillInstructionsCharacters} characters; these have ${limits.skillInstructionsCharacters + 1}.`,
          code: 'instructions_too_long',
          limit: limits.skillInstructionsCharacters,
          actual: limits.skillInstructionsCharacters + 1,
        },
      }),
    },
  },
};
const taken = {
  409: textAnswer('The caller has a skill of this name.', 'You already have a skill named tone.'),
};
const tooLarge = {
  413: textAnswer('The body is too large.', `The request body is larger than ${limits.jsonBodyBytes} bytes.`),
};
const answered = { ...jsonAnswer('The skill.', skillSchema, skill), headers: ['ETag'] } as const;
const path = { id: textParameter('The id of a skill.', 'skill_1') };
const versionPath = { ...path, number: textParameter('The number of a published version.', '3') };

export const listSkills: RouteDescription = {
  summary: 'List the skills that a request may name',
  description:
    "The account's own skills and the enabled ones of the other scopes, by name and without instructions.",
  tag: 'skills',
  responses: {
    200: jsonAnswer('The skills.', named('SkillList', skillListSchema), { skills: [summary] }),
    ...always,
  },
};

export const createSkill: RouteDescription = {
  summary: 'Create a skill',
  description: 'From JSON, or from a `SKILL.md` whose front matter has the name and the description.',
  tag: 'skills',
  body: {
    ...jsonContent(named('NewSkill', newSkillSchema), {
      name: 'tone',
      description: 'How we write.',
      instructions: 'Write short sentences.',
    }),
    'text/markdown': { schema: v.string(), example: markdown },
  },
  responses: {
    201: {
      ...jsonAnswer('The skill, enabled, of version 1.', skillSchema, { ...skill, version: 1 }),
      headers: ['ETag', 'Location'],
    },
    ...invalid,
    ...taken,
    ...tooLarge,
    ...always,
  },
};

export const getSkill: RouteDescription = {
  summary: 'Read a skill',
  description: 'As JSON, or as a `SKILL.md` if `Accept` prefers `text/markdown`.',
  tag: 'skills',
  path,
  headers: { 'If-None-Match': textParameter('Entity tags that the caller has at hand.', '"3-9f86d081"') },
  responses: {
    200: {
      ...answered,
      content: { ...answered.content, 'text/markdown': { schema: v.string(), example: markdown } },
    },
    304: { description: 'The caller has it already.', headers: ['ETag'] },
    ...notFound,
    ...always,
  },
};

export const updateSkill: RouteDescription = {
  summary: 'Change a skill',
  description: 'Changes at least one of its fields. Other instructions are published as its next version.',
  tag: 'skills',
  path,
  headers: ifMatch,
  body: jsonContent(named('SkillPatch', skillPatchSchema), { enabled: false }),
  responses: { 200: answered, ...invalid, ...tooLarge, ...notFound, ...taken, ...stale, ...always },
};

export const deleteSkill: RouteDescription = {
  summary: 'Delete a skill',
  description: 'All its versions are gone, and its name is free.',
  tag: 'skills',
  path,
  headers: ifMatch,
  responses: { 204: { description: 'The skill is gone.' }, ...notFound, ...stale, ...always },
};

export const listSkillVersions: RouteDescription = {
  summary: 'List what was published of a skill',
  description: 'Newest first, without instructions.',
  tag: 'skills',
  path,
  query: {
    limit: numberParameter('Versions on the page.', {
      minimum: 1,
      maximum: limits.skillVersionsPerPage,
      fallback: limits.skillVersionsPerPage,
    }),
    cursor: textParameter("The page before's `cursor`.", '3'),
  },
  responses: {
    200: jsonAnswer(
      'A page; `cursor` is there while more follow.',
      named('SkillVersionList', versionListSchema),
      {
        versions: [version],
      },
    ),
    400: textAnswer('A wrong parameter.', 'Invalid query:\nlimit: must be a whole number'),
    ...notFound,
    ...always,
  },
};

export const getSkillVersion: RouteDescription = {
  summary: 'Read a published version',
  description: 'The version with its instructions.',
  tag: 'skills',
  path: versionPath,
  responses: {
    200: jsonAnswer('The version.', named('SkillVersion', versionDetailSchema), {
      ...version,
      instructions: 'Write short sentences.',
    }),
    ...notFound,
    ...always,
  },
};

export const restoreSkillVersion: RouteDescription = {
  summary: 'Publish an earlier version again',
  description: 'The instructions of the version become the next version of the skill.',
  tag: 'skills',
  path: versionPath,
  headers: ifMatch,
  responses: { 200: answered, ...notFound, ...stale, ...always },
};

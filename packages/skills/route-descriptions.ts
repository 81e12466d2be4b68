import { describeRoute } from '@errand/platform';
import type * as v from 'valibot';
import {
  instructionsTooLongSchema,
  newSkillSchema,
  skillDetailSchema,
  skillListSchema,
  skillPatchSchema,
  versionDetailSchema,
  versionListSchema,
} from './schema.ts';

const text = (description: string) => ({ description, content: { 'text/plain': 'text' as const } });
const json = (description: string, schema: v.GenericSchema) => ({
  description,
  content: { 'application/json': schema },
});

const always = {
  401: text('Missing or invalid key'),
  403: text('The key may not be used for skills'),
  429: text('Too many requests'),
  503: text('Skills are not switched on here'),
};
const notFound = { 404: text('No such skill, or none that the caller may see or change') };
const stale = { 412: text('The skill is not as `If-Match` expects') };
const ifMatch = { 'If-Match': 'Entity tags that the skill must still have; without it the last write wins' };
const invalid = {
  description: 'What is wrong, one line each; JSON for too long instructions',
  content: { 'text/plain': 'text' as const, 'application/json': instructionsTooLongSchema },
};
const tooLarge = { 413: text('The body is over its limit') };

/** The routes as the OpenAPI document describes them. */
export const describe = {
  list: describeRoute({
    summary: 'List the skills that a request may name',
    tag: 'skills',
    responses: { 200: json('By name, without instructions', skillListSchema), ...always },
  }),
  create: describeRoute({
    summary: 'Create a skill from JSON or from a SKILL.md file',
    tag: 'skills',
    body: { contentTypes: { 'application/json': newSkillSchema, 'text/markdown': 'text' } },
    responses: {
      201: json('The skill, enabled, version 1', skillDetailSchema),
      400: invalid,
      409: text('The caller has a skill of this name'),
      ...tooLarge,
      ...always,
    },
  }),
  get: describeRoute({
    summary: 'Read a skill as JSON or as a SKILL.md file',
    tag: 'skills',
    headers: { Accept: '`text/markdown` for a SKILL.md', 'If-None-Match': 'Entity tags at hand' },
    responses: {
      200: {
        description: 'The skill',
        content: { 'application/json': skillDetailSchema, 'text/markdown': 'text' },
      },
      304: { description: 'The caller has it already' },
      ...notFound,
      ...always,
    },
  }),
  update: describeRoute({
    summary: 'Change a skill; other instructions publish its next version',
    tag: 'skills',
    headers: ifMatch,
    body: { schema: skillPatchSchema },
    responses: {
      200: json('The skill', skillDetailSchema),
      400: invalid,
      ...tooLarge,
      ...notFound,
      409: text('The caller has a skill of this name'),
      ...stale,
      ...always,
    },
  }),
  remove: describeRoute({
    summary: 'Delete a skill and all its versions',
    tag: 'skills',
    headers: ifMatch,
    responses: { 204: { description: 'Gone; the name is free' }, ...notFound, ...stale, ...always },
  }),
  listVersions: describeRoute({
    summary: 'List what was published of a skill, newest first',
    tag: 'skills',
    query: { limit: 'Versions per page, 1 to 100', cursor: 'The `cursor` of the page before' },
    responses: {
      200: json('One page', versionListSchema),
      400: text('Invalid query'),
      ...notFound,
      ...always,
    },
  }),
  getVersion: describeRoute({
    summary: 'Read a published version',
    tag: 'skills',
    responses: { 200: json('The version', versionDetailSchema), ...notFound, ...always },
  }),
  restore: describeRoute({
    summary: 'Publish the instructions of an earlier version as the next one',
    tag: 'skills',
    headers: ifMatch,
    responses: { 200: json('The skill', skillDetailSchema), ...notFound, ...stale, ...always },
  }),
};

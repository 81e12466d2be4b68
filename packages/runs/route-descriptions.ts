import { describePageLimit, type describeRoute, limits } from '@errand/platform';
import { skillFieldErrorSchema } from '@errand/skills';
import * as v from 'valibot';
import { createRunForm } from './create/read-create-form.ts';
import { acceptedSchema, createRunSchema, eventPageSchema, runListSchema, runSchema } from './schema.ts';

type Description = Parameters<typeof describeRoute>[0];

const text = { 'text/plain': 'text' } as const;
const json = <S extends v.GenericSchema>(schema: S) => ({ 'application/json': schema });
const errorSchema = v.object({ error: v.string() });

const keyErrors = {
  401: { description: 'Missing or invalid key', content: text },
  403: { description: 'The key may not be used for runs', content: text },
  429: { description: 'Rate limit spent', content: text },
} as const;
const missing = { 404: { description: 'No such run of this key', content: json(errorSchema) } };

export const create: Description = {
  summary: 'Start a run',
  tag: 'agents',
  headers: {
    'Idempotency-Key': `The same key with the same body within ${limits.runReadableSeconds / 3600} hours answers with the same run.`,
  },
  body: {
    contentTypes: {
      'application/json': createRunSchema,
      'multipart/form-data': createRunForm,
    },
  },
  responses: {
    202: {
      description: 'Accepted. X-Credits-Remaining has the balance before the run.',
      content: json(acceptedSchema),
    },
    400: {
      description: 'Missing or invalid fields; JSON where it is about the skill',
      content: { ...text, ...json(skillFieldErrorSchema) },
    },
    402: { description: "No credits left, or the key's budget is spent", content: json(errorSchema) },
    409: { description: 'The Idempotency-Key was used with another body', content: text },
    413: { description: 'The body or file is over its limit', content: text },
    415: { description: 'The extension of the file is not accepted', content: text },
    502: { description: 'The file could not be read', content: text },
    503: { description: 'Something that is needed is switched off or cannot be reached', content: text },
    ...keyErrors,
    403: { description: 'The key may not be used for runs, or not with the models of runs', content: text },
  },
};

export const list: Description = {
  summary: "This key's runs, newest first",
  tag: 'agents',
  query: {
    limit: describePageLimit(),
    cursor: "The page before's `cursor`",
    status: 'Only runs of this status',
  },
  responses: {
    200: { description: 'A page', content: json(runListSchema) },
    400: { description: 'Invalid query', content: text },
    ...keyErrors,
  },
};

export const read: Description = {
  summary: 'Read a run',
  tag: 'agents',
  responses: { 200: { description: 'The run', content: json(runSchema) }, ...missing, ...keyErrors },
};

export const remove: Description = {
  summary: 'Delete a finished run with its events and files',
  tag: 'agents',
  responses: {
    204: { description: 'Deleted' },
    409: { description: 'The run is not finished', content: text },
    ...missing,
    ...keyErrors,
  },
};

export const cancel: Description = {
  summary: 'Cancel a run: it ends failed, with what was done charged',
  tag: 'agents',
  responses: { 202: { description: 'The run as it is', content: json(runSchema) }, ...missing, ...keyErrors },
};

export const events: Description = {
  summary: "A page of a run's events",
  tag: 'agents',
  query: { after: 'Id of the event to go on after', limit: describePageLimit(limits.pageEntries) },
  responses: {
    200: { description: 'The events, each with its time', content: json(eventPageSchema) },
    400: { description: 'Invalid query', content: text },
    ...missing,
    ...keyErrors,
  },
};

export const stream: Description = {
  summary: "Stream a run's events: those so far, then live",
  tag: 'agents',
  headers: { 'Last-Event-ID': 'Replays what follows this event; everything if absent.' },
  responses: {
    200: {
      description: 'Server-sent events until the terminal one',
      content: { 'text/event-stream': 'text' },
    },
    204: { description: 'Everything up to the terminal event was seen' },
    ...missing,
    ...keyErrors,
  },
};

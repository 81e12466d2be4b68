import { changedAgent, runIfMatch } from '@errand/agents';
import {
  agentAnswer,
  describePageLimit,
  jsonAnswer,
  jsonContent,
  limits,
  mayHave,
  named,
  noCredits,
  notFound,
  numberParameter,
  type ResponseDescription,
  type RouteDescription,
  refusalSchema,
  routeForbidden,
  skillAnswer,
  textAnswer,
  textContent,
  textParameter,
} from '@errand/platform';
import { skillFieldErrorSchema, skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';
import { createRunForm } from './create/read-request.ts';
import { eventSchema } from './event-schema.ts';
import * as example from './examples.ts';
import { listedStates } from './lifecycle.ts';
import { createRunSchema } from './schema.ts';
import { acceptedSchema, eventPageSchema, runListSchema, runSchema } from './wire.ts';

const newRun = named(
  'NewRun',
  v.object({ ...createRunSchema.entries, skills: v.optional(skillFieldSchema) }),
);
const run = named('Run', runSchema);
const skillFieldError = named('SkillFieldError', skillFieldErrorSchema);
const forbidden = routeForbidden('runs');
const missing = notFound('There is no such run of this key.');
const path = { agentId: textParameter("The run's id.", example.agentId) };
const wrongQuery = { 400: textAnswer('A wrong parameter.', `limit: must be at most ${limits.pageEntries}`) };

const unavailable: ResponseDescription = {
  description: 'Something that is needed is switched off (text), or cannot be reached (`Retry-After`).',
  content: {
    ...textContent('Agent service is not enabled'),
    ...jsonContent(refusalSchema, { error: 'Service temporarily at capacity. Please retry.' }),
  },
  optionalHeaders: ['Retry-After'],
};

export const createRun: RouteDescription = {
  summary: 'Start a run',
  description: [
    'As JSON, or as a form with a file. A form has each field once and no others.',
    'The answer is sent when the run is in the queue. Follow its events with the stream.',
  ].join('\n'),
  tag: 'runs',
  headers: {
    ...runIfMatch,
    'Idempotency-Key': textParameter(
      `The same key with the same body answers with the same run, for ${limits.runReadableSeconds / 3600} hours, or for longer where runs are kept longer.`,
      'order-1',
      limits.idempotencyKeyCharacters,
    ),
  },
  body: {
    ...jsonContent(newRun, example.newRun),
    'multipart/form-data': { schema: named('NewRunForm', createRunForm), example: example.newRunForm },
  },
  // The headers of a skill stand on errors, too, that come after it was resolved.
  responses: mayHave([...agentAnswer, ...skillAnswer], {
    202: {
      ...jsonAnswer('The run is in the queue.', named('AcceptedRun', acceptedSchema), {
        agentId: example.agentId,
        status: 'queued',
      }),
      headers: ['X-Credits-Remaining'],
    },
    400: {
      description: 'What is wrong, one line each; JSON where it is about the agent or the skill.',
      content: {
        ...textContent('question: is required'),
        ...jsonContent(skillFieldError, example.unknownSkill),
      },
    },
    ...noCredits,
    403: textAnswer(
      'The key may not be used for runs, or not by this agent, or not with one of the models that the run needs.',
      'This key may not be used for runs.',
    ),
    ...notFound('There is no run `previousRunId` of this key.'),
    409: {
      ...textAnswer(
        'The `Idempotency-Key` was used with another body, or its first request is still being worked on. Or the run `previousRunId` works still, or cannot be continued.',
        'This Idempotency-Key was used with another request body.',
      ),
      optionalHeaders: ['Retry-After'],
    },
    412: jsonAnswer(changedAgent.description, skillFieldError, changedAgent.body),
    413: textAnswer(
      'The body or the file is too large.',
      `"report.pdf" is larger than the limit of ${limits.documentBytes / 1_000_000} MB.`,
    ),
    415: textAnswer(
      "The file's ending is not accepted.",
      'Files ending in .xyz are not accepted. Accepted: .png, .jpg',
    ),
    502: textAnswer('The file could not be read.', 'The file is named .pdf but its content is a PNG image.'),
    503: unavailable,
  }),
};

export const listRuns: RouteDescription = {
  summary: 'List the runs of this key',
  description: [
    `Newest first. With \`status\` or \`search\` a page looks through ${limits.runsLookedThrough} runs at most:`,
    'it may be short, or empty, and still have a `cursor`.',
  ].join(' '),
  tag: 'runs',
  query: {
    limit: describePageLimit(),
    cursor: textParameter("The page before's `cursor`."),
    status: {
      description:
        'Only runs of this status. `cancelled` is for runs that were cancelled, whose status is `failed`; `failed` has them too.',
      schema: v.optional(v.picklist(listedStates)),
      example: 'succeeded',
    },
    search: textParameter(
      `Only runs whose question has each of these words, in any case, in its first ${limits.shownQuestionCharacters} characters.`,
      'report',
      limits.runSearchCharacters,
    ),
    thread: textParameter('Only the runs of the chain that this run is in.', example.agentId),
  },
  responses: {
    200: jsonAnswer('A page; `cursor` is there while more follow.', named('RunList', runListSchema), {
      runs: [example.run],
    }),
    ...wrongQuery,
    ...notFound('There is no run `thread` of this key.'),
    ...forbidden,
  },
};

export const getRun: RouteDescription = {
  summary: 'Read a run',
  description: 'Its state, its answer once it has one, and what it used.',
  tag: 'runs',
  path,
  responses: { 200: jsonAnswer('The run.', run, example.valueRun), ...missing, ...forbidden },
};

export const deleteRun: RouteDescription = {
  summary: 'Delete a finished run',
  description: 'The run is gone with its events, its files and its `Idempotency-Key`.',
  tag: 'runs',
  path,
  responses: {
    204: { description: 'The run is gone.' },
    409: textAnswer('The run is not finished.', 'The run is not finished. Cancel it first.'),
    ...missing,
    ...forbidden,
  },
};

export const cancelRun: RouteDescription = {
  summary: 'Cancel a run',
  description: 'It ends as failed, and what was done is charged. A finished run stays as it is.',
  tag: 'runs',
  path,
  responses: { 202: jsonAnswer('The run as it is.', run, example.run), ...missing, ...forbidden },
};

export const listRunEvents: RouteDescription = {
  summary: "List a run's events",
  description: 'Oldest first, each with its time.',
  tag: 'runs',
  path,
  query: {
    after: numberParameter('The id of the event to go on after.', { minimum: 0, fallback: 0 }),
    limit: describePageLimit(limits.pageEntries),
  },
  responses: {
    200: jsonAnswer('A page.', named('RunEventPage', eventPageSchema), example.eventPage),
    ...wrongQuery,
    ...missing,
    ...forbidden,
  },
};

export const streamRun: RouteDescription = {
  summary: "Stream a run's events",
  description: [
    'Server-sent events: those so far, then live until the terminal one (`done`, `input_required` or `error`).',
    'Each has its `id`, its type as `event`, and as `data` one JSON object on one line, which the schema describes.',
    'Lines that begin with a colon are comments. A stream may end before the terminal event: resume with `Last-Event-ID`.',
  ].join('\n'),
  tag: 'runs',
  path,
  headers: {
    'Last-Event-ID': textParameter('Replays what follows this event; everything if absent.', '12'),
  },
  responses: {
    200: {
      description: 'The events.',
      content: { 'text/event-stream': { schema: eventSchema, example: example.doneEvent } },
    },
    204: { description: 'The caller has seen everything up to the terminal event.' },
    ...missing,
    ...forbidden,
  },
};

import {
  described,
  jsonAnswer,
  jsonContent,
  limits,
  mayHave,
  named,
  noCredits,
  notFound,
  type RouteDescription,
  routeForbidden,
  skillAnswer,
  textAnswer,
  textContent,
  textParameter,
} from '@errand/platform';
import { acceptedSchema } from '@errand/runs';
import {
  changedSkill,
  skillFieldErrorSchema,
  skillFieldErrors,
  skillFieldSchema,
  skillIfMatch,
} from '@errand/skills';
import * as v from 'valibot';
import { newScheduleSchema, scheduleListSchema, scheduleSchema } from './schema.ts';

const asked = {
  name: 'Morning news',
  question: 'What is new about heat pumps since yesterday?',
  cron: '0 7 * * mon-fri',
  timeZone: 'Europe/Amsterdam',
  notifyIf: { question: 'Does the result say something that the result before does not?', threshold: 0.6 },
};
const listed = {
  id: 'schedule_3xVbN8sKq2LmPzRt5YwE',
  ...asked,
  overlap: 'skip',
  paused: false,
  nextAt: '2026-11-30T06:00:00.000Z',
  createdAt: '2026-11-27T10:00:00.000Z',
  updatedAt: '2026-11-27T10:00:00.000Z',
};
const schedule = {
  ...listed,
  outcomes: [
    {
      at: '2026-11-27T06:00:00.000Z',
      status: 'succeeded',
      agentId: '6e1c7a8e-0b52-4f0c-9c1f-6d6a3f0f2a11',
      probability: 0.81,
    },
  ],
};

const skills = v.optional(skillFieldSchema);
const newSchedule = named('NewSchedule', v.object({ ...newScheduleSchema.entries, skills }));

/** Null takes a field away; a schedule is paused or is not. */
const removable = Object.fromEntries(
  Object.entries({ ...newScheduleSchema.entries, skills }).map(([name, { wrapped }]) => [
    name,
    v.optional(
      described(v.getDescription(wrapped as v.GenericSchema) ?? '', v.nullable(wrapped as v.GenericSchema)),
    ),
  ]),
);
const schedulePatch = named(
  'SchedulePatch',
  v.object({ ...removable, paused: newScheduleSchema.entries.paused }),
);

const path = { id: textParameter('The id of a schedule.', listed.id) };
const always = routeForbidden('runs');
const missing = { ...notFound('This key has no such schedule.'), ...always };
const fieldError = named('SkillFieldError', skillFieldErrorSchema);
const unknownSkill = skillFieldErrors.skill_unresolved({ reason: 'unknown', name: 'tone' }).body;
/** What a run would be refused with, too. */
const wrong = (example: string) => ({
  400: {
    description: 'What is wrong, one line each; JSON where it is about the agent or the skill.',
    content: { ...textContent(example), ...jsonContent(fieldError, unknownSkill) },
  },
});
const invalid = {
  ...wrong('cron: must be given, or every, and not both'),
  413: textAnswer('The body is too large.', `The request body is larger than ${limits.jsonBodyBytes} bytes.`),
};
const switchedOff = {
  503: textAnswer(
    'Runs are switched off, or the service cannot take them now.',
    'Agent service is not enabled',
  ),
};

export const createSchedule: RouteDescription = {
  summary: 'Have a run started again and again',
  description:
    'By a cron pattern or after equal times. The body has what each run is created with, as `POST /v1/agents/runs` takes it, beside when that is. Each instant has one run; those that were missed are made up for by one.',
  tag: 'schedules',
  body: jsonContent(newSchedule, asked),
  responses: {
    201: {
      ...jsonAnswer('The schedule.', scheduleSchema, { ...schedule, outcomes: [] }),
      headers: ['Location'],
    },
    ...invalid,
    ...always,
    ...switchedOff,
  },
};

export const listSchedules: RouteDescription = {
  summary: "List the key's schedules",
  description: 'The oldest first, without their outcomes.',
  tag: 'schedules',
  responses: { 200: jsonAnswer('The schedules.', scheduleListSchema, { schedules: [listed] }), ...always },
};

export const getSchedule: RouteDescription = {
  summary: 'Read a schedule',
  description: 'With what its runs are created with, its next instant, and what became of the last ones.',
  tag: 'schedules',
  path,
  responses: { 200: jsonAnswer('The schedule.', scheduleSchema, schedule), ...missing },
};

export const updateSchedule: RouteDescription = {
  summary: 'Change a schedule, or pause it',
  description: 'What is absent stays; null takes a field away. A change of when it is due counts from now.',
  tag: 'schedules',
  path,
  body: jsonContent(schedulePatch, { paused: true }),
  responses: {
    200: jsonAnswer('The schedule as it is now.', scheduleSchema, schedule),
    ...invalid,
    ...missing,
    ...switchedOff,
  },
};

export const deleteSchedule: RouteDescription = {
  summary: 'Delete a schedule',
  description: 'Runs that it has started go on.',
  tag: 'schedules',
  path,
  responses: { 204: { description: 'The schedule is gone.' }, ...missing },
};

export const runSchedule: RouteDescription = {
  summary: 'Start a run of a schedule now',
  description:
    'As if it were due, and beside its instants. A run of it that has not ended is no reason not to.',
  tag: 'schedules',
  path,
  headers: {
    ...skillIfMatch,
    'Idempotency-Key': textParameter(
      'The same key answers with the same run.',
      'now-1',
      limits.idempotencyKeyCharacters,
    ),
  },
  responses: mayHave(skillAnswer, {
    202: {
      ...jsonAnswer('The run is in the queue.', named('AcceptedRun', acceptedSchema), {
        agentId: schedule.outcomes[0]?.agentId,
        status: 'queued',
      }),
      headers: ['X-Credits-Remaining'],
    },
    ...wrong(`Idempotency-Key: must be 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters`),
    ...noCredits,
    ...missing,
    409: textAnswer(
      'So many of its runs have not ended, or the `Idempotency-Key` was used otherwise.',
      `${limits.scheduleOpenRuns} runs of this schedule have not ended. Wait until one has.`,
    ),
    412: jsonAnswer(changedSkill.description, fieldError, changedSkill.body),
    ...switchedOff,
  }),
};

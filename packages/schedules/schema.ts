import {
  atMost,
  countField,
  described,
  flagField,
  hasAtMost,
  hasControls,
  limits,
  named,
  oneOf,
  textField,
  timeField,
  wellFormed,
} from '@errand/platform';
import { createRunSchema } from '@errand/runs';
import * as v from 'valibot';
import { everySeconds, isTimeZone } from './instants.ts';
import { onceFields, outcomeStatuses, overlaps, stopReasons } from './schedule.ts';

const text = v.string('must be a string');

/** Everything that a run's creation has and that can be repeated. */
const bodySchema = v.omit(createRunSchema, [...onceFields]);

const mostDays = limits.scheduleMostSeconds / (24 * 60 * 60);

const ownEntries = {
  name: v.optional(
    v.pipe(
      text,
      v.check(
        (name) => hasAtMost(name, limits.scheduleNameCharacters),
        `must have at most ${limits.scheduleNameCharacters} characters`,
      ),
      wellFormed,
      v.check((name) => !hasControls(name), 'must not have control characters'),
      v.description('What people call it.'),
      v.metadata({ maxLength: limits.scheduleNameCharacters }),
    ),
  ),
  cron: v.optional(
    v.pipe(
      text,
      atMost(limits.cronCharacters),
      v.description(
        'When it is due: minute, hour, day of month, month and day of week, in `timeZone`. Without `every`.',
      ),
      v.metadata({ maxLength: limits.cronCharacters }),
    ),
  ),
  every: v.optional(
    v.pipe(
      text,
      v.check(
        (every) => everySeconds(every) !== undefined,
        `must be a number with m, h or d, of 1 minute to ${mostDays} days, such as 15m`,
      ),
      v.description('Again and again after this time, such as `15m`, `6h` or `1d`. Without `cron`.'),
      v.metadata({ pattern: '^[1-9]\\d{0,4}[mhd]$' }),
    ),
  ),
  timeZone: v.optional(
    v.pipe(
      text,
      v.check(
        (name) => name.length <= limits.metadataKeyCharacters && isTimeZone(name),
        'must be a time zone such as Europe/Amsterdam',
      ),
      v.description('The time zone of `cron`, by its name in the IANA database; UTC if absent.'),
      v.metadata({ maxLength: limits.metadataKeyCharacters }),
    ),
  ),
  overlap: v.optional(
    v.pipe(
      oneOf(overlaps),
      v.description(
        'What becomes of an instant whose run before has not ended: it is left out (`skip`, if absent), or its run starts when the other has ended (`queue`).',
      ),
    ),
  ),
  until: v.optional(
    v.pipe(
      text,
      v.check(
        (time) => v.is(v.pipe(v.string(), v.isoTimestamp()), time) && !Number.isNaN(Date.parse(time)),
        'must be a time such as 2027-01-31T12:00:00Z',
      ),
      v.description('It is not due after this time.'),
      v.metadata({ format: 'date-time', maxLength: limits.metadataKeyCharacters }),
    ),
  ),
  notifyIf: v.optional(
    v.pipe(
      v.strictObject({
        question: v.pipe(
          text,
          v.check((question) => question.trim() !== '', 'must not be empty'),
          atMost(limits.notifyQuestionCharacters),
          v.description(
            'Answered by yes or no about the result and the result before, by the decision model.',
          ),
          v.metadata({ minLength: 1, maxLength: limits.notifyQuestionCharacters }),
        ),
        threshold: v.optional(
          v.pipe(
            v.number('must be a number'),
            v.minValue(0, 'must be at least 0'),
            v.maxValue(1, 'must be at most 1'),
            v.description('The least probability of yes; 0.5 if absent.'),
          ),
        ),
      }),
      v.description(
        'Webhooks are told of a result only if this holds. Without it they are told of each. It is charged as a decision.',
      ),
    ),
  ),
};

const pausedEntry = {
  paused: v.optional(
    described(
      'A paused schedule is not due. What passes meanwhile is not made up for.',
      v.boolean('must be true or false'),
    ),
  ),
};

export const newScheduleSchema = v.object({ ...bodySchema.entries, ...ownEntries, ...pausedEntry });

/** Every field may be absent; null takes one away. */
export const schedulePatchSchema = v.partial(newScheduleSchema);

export type ScheduleFields = v.InferOutput<typeof newScheduleSchema>;

const outcomeSchema = named(
  'ScheduleOutcome',
  v.object({
    at: timeField('The instant; when a run was created that was asked for at once.'),
    manual: v.optional(flagField('Whether the run was asked for at once.')),
    status: described(
      'The status of the run, `deleted` if it was deleted before it was seen to end, or why there is none: the run before had not ended (`skipped`), the service `refused` it, or it could `not_started` be through a fault of the service.',
      v.picklist(outcomeStatuses),
    ),
    agentId: v.optional(textField('The run.')),
    startedAt: v.optional(timeField('When the run was created.')),
    missed: v.optional(
      countField(
        `Later instants that passed before the run started, which it makes up for; ${limits.scheduleMissedCounted} at most.`,
      ),
    ),
    reason: v.optional(textField('Why there is no run, or no probability.')),
    probability: v.optional(
      described('The answer to `notifyIf`.', v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    ),
  }),
);

const shownEntries = {
  id: textField('The id of the schedule.'),
  name: v.optional(textField('What people call it.')),
  agent: v.optional(textField('The agent that its runs are by, as it was sent.')),
  question: v.optional(textField('What each run must do; in a list its beginning.')),
  cron: v.optional(textField('When it is due.')),
  every: v.optional(textField('When it is due, counted from `since`.')),
  since: v.optional(timeField('From when `every` is counted.')),
  timeZone: textField('The time zone of `cron`.'),
  overlap: described('What becomes of an instant whose run before has not ended.', v.picklist(overlaps)),
  until: v.optional(timeField('It is not due after this time.')),
  notifyIf: v.optional(
    described(
      'When webhooks are told of a result.',
      v.object({
        question: textField('Asked about the result and the result before.'),
        threshold: described(
          'The least probability of yes.',
          v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
        ),
      }),
    ),
  ),
  paused: flagField('Whether it is paused.'),
  stopped: v.optional(
    described(
      'Why it is not due any more. A change of it may have it go on.',
      v.object({
        reason: described(
          'Its key was revoked or has expired, `until` has passed, or there is no further instant.',
          v.picklist(stopReasons),
        ),
        at: timeField('Since when.'),
      }),
    ),
  ),
  nextAt: v.optional(timeField('The next instant.')),
  createdAt: timeField('When it was created.'),
  updatedAt: timeField('When it was last changed.'),
};

const listedScheduleSchema = named('ListedSchedule', v.object(shownEntries));

export const scheduleListSchema = named(
  'ScheduleList',
  v.object({ schedules: described('The oldest first.', v.array(listedScheduleSchema)) }),
);

/** With what its runs are created with, as it was sent. */
export const scheduleSchema = named(
  'Schedule',
  v.looseObject({
    ...shownEntries,
    outcomes: described(
      `What became of the last ${limits.scheduleOutcomesShown} instants, newest first.`,
      v.array(outcomeSchema),
    ),
  }),
);

export type ListedSchedule = v.InferOutput<typeof listedScheduleSchema>;

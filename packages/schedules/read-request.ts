import { withOrderedSchema } from '@errand/agents';
import {
  DomainError,
  fieldIssue,
  isFields,
  limits,
  meantBy,
  nearestOf,
  parseJson,
  readJsonText,
  validate,
} from '@errand/platform';
import type { Context } from 'hono';
import { onceFields } from './schedule.ts';
import { newScheduleSchema, type ScheduleFields, schedulePatchSchema } from './schema.ts';

/** A new schedule. Throws `invalid_request`. */
export async function readNewSchedule(c: Context): Promise<ScheduleFields> {
  const { json } = await readFields(c);
  return checked(validate(newScheduleSchema, json));
}

/** What is changed of a schedule, and what is taken away. Throws `invalid_request`. */
export async function readSchedulePatch(
  c: Context,
): Promise<{ changes: Partial<ScheduleFields>; removed: string[] }> {
  const { json } = await readFields(c);
  if (!isFields(json)) return { changes: checked(validate(schedulePatchSchema, json)), removed: [] };
  const removed = Object.keys(json).filter((name) => json[name] === null);
  const rest = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
  return { changes: checked(validate(schedulePatchSchema, rest)), removed };
}

async function readFields(c: Context): Promise<{ json: unknown }> {
  const text = await readJsonText(c);
  const json = parseJson(text);
  if (isFields(json)) refuseUnknown(json);
  return { json: withOrderedSchema(json, text) };
}

/** An end that is misspelt would have a schedule go on for ever. */
function refuseUnknown(json: object): void {
  const known = Object.keys(newScheduleSchema.entries);
  const name = Object.keys(json).find((each) => !known.includes(each));
  if (name === undefined) return;
  if (onceFields.some((each) => each === name)) throw fieldIssue(name, 'cannot be repeated by a schedule');
  const shown = name.slice(0, limits.metadataKeyCharacters);
  const meant = meantBy(name, known);
  throw fieldIssue(
    shown,
    meant === undefined
      ? `is not a field: the nearest is ${nearestOf(shown, known)}`
      : `is not a field: write ${meant}`,
  );
}

/** A schedule is kept for long: it keeps no secrets. */
function checked<Fields extends Partial<ScheduleFields>>(fields: Fields): Fields {
  for (const [index, server] of (fields.mcp ?? []).entries())
    if (typeof server !== 'string' && server.authorization !== undefined)
      throw new DomainError('invalid_request', {
        issues: [
          {
            field: `mcp[${index}].authorization`,
            problem: 'is not kept by a schedule: name a server that the operator offers',
          },
        ],
      });
  return fields;
}

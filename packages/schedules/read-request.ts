import { withOrderedSchema } from '@errand/agents';
import {
  DomainError,
  fieldIssue,
  isFields,
  parseJson,
  readJsonText,
  refuseMisspelt,
  validate,
} from '@errand/platform';
import { refuseMisspeltRun } from '@errand/runs';
import type { Context } from 'hono';
import { onceFields } from './schedule.ts';
import { newScheduleSchema, type ScheduleFields, schedulePatchSchema } from './schema.ts';

/** They decide how often there are runs, and who hears of them. */
const costlyFields = ['cron', 'every', 'timeZone', 'overlap', 'until', 'notifyIf', 'paused'];

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
  refuseMisspeltRun(json);
  refuseMisspelt(json, costlyFields, newScheduleSchema.entries);
  for (const field of onceFields)
    if (json instanceof Object && Object.hasOwn(json, field))
      throw fieldIssue(field, 'cannot be repeated by a schedule');
  return { json: withOrderedSchema(json, text) };
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

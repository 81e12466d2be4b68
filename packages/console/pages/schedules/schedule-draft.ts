import type { components } from '@errand/client';

type Schemas = components['schemas'];
export type Schedule = Schemas['Schedule'];
export type ListedSchedule = Schemas['ListedSchedule'];
export type Outcome = Schemas['ScheduleOutcome'];
export type ShownState = Pick<ListedSchedule, 'stopped' | 'paused' | 'nextAt'>;

/** A schedule as its form has it. An empty text is a field that it does not have. */
export interface ScheduleDraft {
  name: string;
  agent: string;
  question: string;
  maxCredits: string;
  /** Whether it is due at times, or again and again. */
  timing: 'cron' | 'every';
  cron: string;
  every: string;
  timeZone: string;
  overlap: Schedule['overlap'];
  /** As a field for a time has it, in the visitor's own time zone. */
  until: string;
  notifyIf: string;
  /** In hundredths. */
  threshold: string;
}

/** Each weekday morning where the visitor is. */
export const newSchedule = (): ScheduleDraft => ({
  ...{ name: '', agent: '', question: '', maxCredits: '', until: '', notifyIf: '' },
  ...{ timing: 'cron', cron: '0 7 * * 1-5', every: '1d', overlap: 'skip', threshold: '50' },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export const toDraft = (schedule: Schedule): ScheduleDraft => ({
  ...newSchedule(),
  name: schedule.name ?? '',
  agent: textOf(schedule.agent),
  question: schedule.question ?? '',
  maxCredits: textOf(schedule.maxCredits),
  timing: schedule.cron === undefined ? 'every' : 'cron',
  ...(schedule.cron !== undefined && { cron: schedule.cron }),
  ...(schedule.every !== undefined && { every: schedule.every }),
  timeZone: schedule.timeZone,
  overlap: schedule.overlap,
  until: schedule.until === undefined ? '' : localTime(schedule.until),
  notifyIf: schedule.notifyIf?.question ?? '',
  ...(schedule.notifyIf && { threshold: String(Math.round(schedule.notifyIf.threshold * 100)) }),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function localTime(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The body of a creation. What the schedule does not have is undefined. */
export const toBody = (draft: ScheduleDraft): Schemas['NewSchedule'] => ({
  name: draft.name.trim() || undefined,
  agent: draft.agent || undefined,
  question: draft.question.trim() || undefined,
  maxCredits: draft.maxCredits.trim() || undefined,
  [draft.timing]: draft[draft.timing].trim(),
  timeZone: draft.timeZone,
  overlap: draft.overlap,
  until: draft.until === '' ? undefined : new Date(draft.until).toISOString(),
  notifyIf: draft.notifyIf.trim()
    ? { question: draft.notifyIf.trim(), threshold: Number(draft.threshold) / 100 }
    : undefined,
});

/** The fields that a draft changes; null takes one away. What is not in the form stays. */
export function toPatch(schedule: Schedule, draft: ScheduleDraft): Record<string, unknown> {
  const before = toBody(toDraft(schedule)) as Record<string, unknown>;
  const after = toBody(draft) as Record<string, unknown>;
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, after[name] ?? null]));
}

export const tellTiming = ({ cron, every, timeZone }: ListedSchedule): string =>
  cron === undefined ? `every ${every}` : `${cron}, ${timeZone}`;

import type { RunWait } from './follow-run.ts';
import type { Run } from './run-handle.ts';

/** The beginning of what was asked. A service of an earlier release knows it of runs that the console started. */
export const askedOf = ({ question, metadata }: Pick<Run, 'question' | 'metadata'>): string | undefined =>
  question ?? metadata?.question;

/** True if the run's caller, or the operator, has ended it: its status is `failed`. */
export const isCancelled = ({ error }: Pick<Run, 'error'>): boolean => error === 'Cancelled';

/** A time of today, as the clock on the wall has it. */
const clockTime = (at: string): string => new Date(at).toLocaleTimeString('en-GB');

const isTime = (at: string | undefined): at is string => at !== undefined && !Number.isNaN(Date.parse(at));

/** What a run waits for, in words for people. */
export function describeWait({ for: reason, since, until, retryAt }: RunWait, now: number): string {
  const begun = `since ${clockTime(since)}`;
  const latest = isTime(until) ? clockTime(until) : undefined;
  switch (reason) {
    case 'model_provider': {
      const isAhead = isTime(retryAt) && Date.parse(retryAt) > now;
      const retry = isAhead ? `It is asked again at ${clockTime(retryAt)}` : 'It is being asked again';
      const end = latest === undefined ? '' : `, until ${latest} at the latest`;
      return `Waiting for the model provider ${begun}. ${retry}${end}. Nothing is charged meanwhile.`;
    }
    case 'queue':
      return `Waiting for a worker ${begun}. Nothing is charged meanwhile.`;
    case 'worker': {
      const end = latest === undefined ? 'as soon as a worker is free' : `at ${latest} at the latest`;
      return `Waiting for another worker ${begun}, because its own fell silent. It goes on ${end}, from where it was.`;
    }
    case 'sub_runs':
      return `Waiting for its sub-runs ${begun}.`;
    default:
      return `Waiting ${begun}.`;
  }
}

import type { CreateRunBody, RunRecord } from '@errand/runs';
import type { Timing } from './instants.ts';

export const overlaps = ['skip', 'queue'] as const;

/** Fields of a run's creation that a schedule cannot repeat. */
export const onceFields = ['uploadId', 'previousRunId', 'functionResults', 'approvals'] as const;

/** What each run of a schedule is created with. */
export type ScheduledBody = Omit<CreateRunBody, (typeof onceFields)[number]>;

/** Why a schedule is not due any more. */
export const stopReasons = ['key_revoked', 'key_expired', 'until', 'no_instant'] as const;

export const outcomeStatuses = [
  'running',
  'succeeded',
  'failed',
  'awaiting_input',
  'deleted',
  'skipped',
  'refused',
  'not_started',
] as const;

/** What became of an instant, or of a run that was asked for at once. */
export interface Outcome {
  /** The instant; the creation of a run that was asked for at once. */
  at: string;
  manual?: true;
  status: (typeof outcomeStatuses)[number];
  agentId?: string;
  /** When the run was created. */
  startedAt?: string;
  /** Later instants that the run makes up for. */
  missed?: number;
  /** Why no run was started, or nobody was asked about its result. */
  reason?: string;
  /** The answer to `notifyIf`. */
  probability?: number;
}

export interface StartedOutcome extends Outcome {
  agentId: string;
  startedAt: string;
  /** How often its end could not be noted. */
  tries?: number;
}

/** A schedule's own item, without what its runs are created with. */
export interface Schedule {
  id: string;
  accountId: string;
  keyId: string;
  organisationId?: string;
  /** Links to files of its runs begin with it. */
  origin: string;
  name?: string;
  /** The agent that its runs are by. */
  agent?: string;
  /** The beginning of what is asked. */
  question?: string;
  timing: Timing;
  overlap: (typeof overlaps)[number];
  untilMilliseconds?: number;
  notifyIf?: { question: string; threshold: number };
  paused?: true;
  stopped?: { reason: (typeof stopReasons)[number]; at: string };
  /** The next instant. Absent while there is none. */
  nextMilliseconds?: number;
  /** An instant whose run was perhaps started, and not noted, when the schedule was changed. It comes before the next one. */
  firingMilliseconds?: number;
  /** Attempts to do what is due since something was done. */
  attempts: number;
  /** Until then, another process is at it, or had been. */
  claimedUntilMilliseconds?: number;
  /** Instants in a row that were refused. */
  refusals?: number;
  /** Runs that are not known to have ended. */
  open: StartedOutcome[];
  /** Looks at them since the last one was started. */
  looks: number;
  /** The last run that succeeded. */
  lastResult?: string;
  /** Its place among what is due. */
  dueMilliseconds?: number;
  revision: number;
  createdAt: string;
  updatedAt: string;
  expiresAtSeconds?: number;
}

/** One key for an instant, whoever starts its run. */
export const idempotencyKeyOf = ({ id }: Pick<Schedule, 'id'>, at: string): string => `schedule:${id}:${at}`;

export const startedOutcome = (
  at: string,
  { agentId, createdAt }: Pick<RunRecord, 'agentId' | 'createdAt'>,
): StartedOutcome => ({ at, status: 'running', agentId, startedAt: createdAt });

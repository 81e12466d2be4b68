/** What tests of other rooms reach of this one. Nothing else imports it. */
export { becomeActive } from './active-runs.ts';
export { readState } from './checkpoint-store.ts';
export { commitProgress } from './commit.ts';
export { createRunForm } from './create/read-request.ts';
export type { EndingDeps } from './deps.ts';
export { runErrors } from './errors.ts';
export { readEvents, type StoredEvent } from './event-log.ts';
export { claimRun, type LeaseDeps, noteShared, releaseLease, renewLease } from './lease.ts';
export { isFinished, type RunStatus, runStatuses, transitions } from './lifecycle.ts';
export { keptFields, pickFields, type RunRecord } from './run.ts';
export { type CreateRunBody, createRunSchema } from './schema.ts';
export { readRun } from './store.ts';
export { giveUp } from './worker/give-up.ts';
export { writeRun } from './writes.ts';

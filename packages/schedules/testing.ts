/** What tests of other rooms reach of this one. Nothing else imports it. */
export type { TickDeps } from './deps.ts';
export { nextInstant, problemOfCron, type Timing } from './instants.ts';
export { tick } from './tick.ts';

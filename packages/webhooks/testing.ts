/** What tests of other rooms reach of this one. Nothing else imports it. */
export type { SenderDeps } from './deps.ts';
export type { Queued } from './queue.ts';
export { handleQueued } from './sending/handle-queued.ts';

/** The events of runs: each ends its run. */
const runEvents = ['run.succeeded', 'run.failed', 'run.awaiting_input'] as const;

/** The events of what an account or a key may spend. */
const moneyEvents = ['credits.low', 'budget.reached'] as const;

/** What a run of a schedule gave. */
export const scheduleEvent = 'schedule.result';

/** The events that an endpoint may ask for. */
export const webhookEvents = [...runEvents, ...moneyEvents, scheduleEvent] as const;

export type RunEvent = (typeof runEvents)[number];
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event that an endpoint gets when its owner asks for a test. */
export const testEvent = 'webhook.test';

/** The events of runs: each ends its run. */
const runEvents = ['run.succeeded', 'run.failed', 'run.awaiting_input'] as const;

/** The events of what an account or a key may spend. */
const moneyEvents = ['credits.low', 'budget.reached'] as const;

/** The events that an endpoint may ask for. */
export const webhookEvents = [...runEvents, ...moneyEvents] as const;

export type RunEvent = (typeof runEvents)[number];
export type WebhookEvent = (typeof webhookEvents)[number];

/** An endpoint gets this one when its owner asks for it. */
export const testEvent = 'webhook.test';

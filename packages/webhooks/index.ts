export { checkWebhooks } from './check-webhooks.ts';
export type { OutboxDeps } from './deps.ts';
export { queueNotice } from './queue.ts';
export { requireEndpoint } from './require-endpoint.ts';
export { webhookRoutes } from './routes.ts';
export { resendEarlierWebhooks, resendWebhooks } from './sending/resend.ts';
export { webhookHandler } from './sending/sqs-handler.ts';
export { tellRunEnd } from './tell-run-end.ts';
export { tellScheduleResult } from './tell-schedule-result.ts';

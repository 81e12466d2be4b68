/** What tests of other rooms reach of this one. Nothing else imports it. */
export { countRequest } from './count-request.ts';
export { newApiKey } from './key.ts';
export { letIn } from './let-in.ts';

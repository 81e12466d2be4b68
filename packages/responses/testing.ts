/** What tests of other rooms reach of this one. Nothing else imports it. */

export { responsesErrors } from './errors.ts';
export { parseRequest } from './request/read-request.ts';
export { refuseFields } from './request/refuse-fields.ts';
export { toCompletion } from './request/to-completion.ts';
export { readRunRequest } from './runs/read-run-request.ts';

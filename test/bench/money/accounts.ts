/** What the benchmark measures, which other packages do not call themselves. */
export { countRequest } from '../../../packages/accounts/count-request.ts';
export { letIn } from '../../../packages/accounts/let-in.ts';

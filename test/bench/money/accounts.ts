/** What the benchmark measures, which other packages do not call themselves. */
export { countRequest, letIn } from '@errand/accounts/testing';

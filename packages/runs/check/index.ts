export { checkFiles } from './check-files.ts';
export { checkRuns } from './check-runs.ts';

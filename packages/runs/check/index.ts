export { checkFiles } from './check-files.ts';
export { type CheckRunsDeps, checkRuns } from './check-runs.ts';

import type { Check } from '../check.ts';
import type { StageDeps } from './aws.ts';
import { distributionCheck } from './distribution.ts';
import { functionUrlsCheck } from './functions.ts';
import { accessCheck, logsCheck } from './logs.ts';
import { dashboardCheck, metricsCheck } from './metrics.ts';

/** What a stage has in AWS, after the checks from outside have used it. */
export const stageChecks = (deps: StageDeps): Check[] => [
  functionUrlsCheck(deps),
  distributionCheck(deps),
  logsCheck(deps),
  accessCheck(deps),
  metricsCheck(deps),
  dashboardCheck(deps),
];

export { answerSystemOne } from './answer-decision.ts';
export { askDecision, countDecision } from './ask-decision.ts';
export { boundDecision } from './bound-decision.ts';
export { type AskedCases, askCases } from './calibration/ask-cases.ts';
export { type Fit, isAtBound } from './calibration/fit.ts';
export type { Bin, Measures } from './calibration/measures.ts';
export { readCases } from './calibration/read-cases.ts';
export {
  type Calibration,
  type CalibrationReport,
  type ReportOptions,
  reportCalibration,
} from './calibration/report.ts';
export { decideWhether } from './decide-whether.ts';
export type { DecisionDeps } from './deps.ts';
export { systemOneErrors } from './dialects/system-one/errors.ts';
export { decisionBody } from './dialects/system-one/read-request.ts';
export { decisionAnswer } from './dialects/system-one/write-answer.ts';
export { decisionRoutes } from './routes.ts';
export { supportRequests } from './support-request.ts';

export { askDecision, countDecision } from './ask-decision.ts';
export { boundDecision } from './bound-decision.ts';
export type { DecisionDeps } from './deps.ts';
export { decisionAnswer } from './dialects/system-one/schema.ts';
export { decisionRoutes } from './routes.ts';
export { supportRequests } from './support-request.ts';

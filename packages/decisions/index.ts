export { askDecision, countDecision } from './ask-decision.ts';
export { boundDecision } from './bound-decision.ts';
export type { DecisionDeps } from './deps.ts';
export { decisionRoutes } from './routes.ts';
export { decisionAnswer } from './schema.ts';
export { supportRequests } from './support-request.ts';

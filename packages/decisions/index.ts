export type { DecisionDeps } from './deps.ts';
export { decisionRoutes } from './routes.ts';
export { decisionAnswer } from './schema.ts';

export { type TakingWindow, workOnQueue } from '@errand/runs';
export { mountAgents, mountRunStreams } from './agents-app.ts';
export { createAreaApp } from './area-app.ts';
export { mountChat } from './chat-app.ts';
export { mountDecisions } from './decisions-app.ts';
export {
  accountsDeps,
  agentsDeps,
  attachmentDeps,
  createServiceDeps,
  runsDeps,
  type ServiceDeps,
  skillsDeps,
  uploadDeps,
  whenCharged,
} from './deps.ts';
export { converterHandler } from './documents.ts';
export { createHealth } from './health.ts';
export { createInference } from './inference.ts';
export { mountMcp } from './mcp-app.ts';
export { mountOwnPages } from './pages-app.ts';
export { mountResponses } from './responses-app.ts';
export { mountSite } from './site-app.ts';
export { mountSkills } from './skills-app.ts';
export { createWholeApp } from './whole-app.ts';
export { deadLettersHandler, sendHandler, workerDeps, workHandler } from './worker.ts';

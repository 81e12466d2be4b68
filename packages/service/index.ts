export type { WorkWindow } from '@errand/runs';
export { mountAgents } from './agents-app.ts';
export { createAreaApp } from './area-app.ts';
export { mountChat } from './chat-app.ts';
export { mountDecisions } from './decisions-app.ts';
export { createInference, type Inference } from './inference.ts';
export {
  accountsDeps,
  attachmentDeps,
  createParts,
  type Parts,
  type PartsOptions,
  runsDeps,
  skillsDeps,
  uploadDeps,
  whenCharged,
} from './parts.ts';
export { mountSite, type OpenApiText } from './site-app.ts';
export { mountSkills } from './skills-app.ts';
export { createWholeApp } from './whole-app.ts';
export { deadLettersHandler, workerDeps, workHandler } from './worker.ts';

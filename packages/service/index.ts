export { mountAgents } from './agents-app.ts';
export { accountsDeps, createParts, type Parts, type PartsOptions, runsDeps, skillsDeps } from './parts.ts';
export { mountSite } from './site-app.ts';
export { createWholeApp } from './whole-app.ts';
export { workerDeps } from './worker.ts';

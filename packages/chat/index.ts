export type { ChatDeps } from './deps.ts';
export { chatRoutes } from './routes.ts';

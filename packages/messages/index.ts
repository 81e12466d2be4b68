export { type MessagesDeps, messagesRoutes, modelsInOwnWords } from './routes.ts';

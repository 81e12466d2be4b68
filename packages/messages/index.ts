export { type MessagesDeps, messagesRoutes } from './routes.ts';

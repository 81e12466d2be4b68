export { type ResponsesDeps, responsesRoutes } from './routes.ts';

export { scheduleRoutes } from './routes.ts';
export { tick } from './tick.ts';

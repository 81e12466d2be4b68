export { scheduleRoutes } from './routes.ts';
export { type TickOptions, tick } from './tick.ts';

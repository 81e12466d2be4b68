export type { ScheduleRoutesDeps, ScheduleStoreDeps, TickDeps } from './deps.ts';
export { scheduleRoutes } from './routes.ts';
export { tick } from './tick.ts';

export { checkSchedules } from './check-schedules.ts';
export { listSchedules, pauseAnySchedule, removeSchedule } from './manage.ts';
export { scheduleRoutes } from './routes.ts';
export type { Schedule } from './schedule.ts';
export { type TickOptions, tick } from './tick.ts';
export { viewListed } from './view.ts';

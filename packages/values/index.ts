export { valueRoutes } from './routes.ts';
export { accountValues, type ValuesDeps } from './store.ts';

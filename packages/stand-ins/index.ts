export { standInModels } from './models.ts';
export { type StandIns, startStandIns } from './server.ts';

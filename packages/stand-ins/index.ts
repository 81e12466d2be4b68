export { type StandInModel, standInModels } from './models.ts';
export { type StandInOptions, type StandIns, startStandIns } from './server.ts';

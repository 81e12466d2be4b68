export { type LocalService, startLocal } from './start-local.ts';

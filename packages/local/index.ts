export { type LocalService, type StartOptions, startLocal } from './start-local.ts';

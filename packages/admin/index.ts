export { type Command, defineCommand, type Outcome, type Store } from './command.ts';
export { run, type Terminal } from './run.ts';

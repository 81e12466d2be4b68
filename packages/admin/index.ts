export type { Terminal } from './command.ts';
export { addressOfLocal, connect } from './connect.ts';

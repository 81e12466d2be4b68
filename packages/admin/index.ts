export { addressOfLocal, connect } from './connect.ts';
export type { Terminal } from './run.ts';

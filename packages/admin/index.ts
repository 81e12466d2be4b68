export { addressOfLocal, connect } from './connect.ts';

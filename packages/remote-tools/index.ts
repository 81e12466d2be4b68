export { remoteTools } from './remote-tools.ts';
export type { RemoteServer } from './server.ts';

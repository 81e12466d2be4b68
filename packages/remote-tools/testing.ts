/** What tests of other rooms reach of this one. Nothing else imports it. */
export { resultText } from './call-tool.ts';
export { listPage } from './connection.ts';
export { defineTools } from './define-tools.ts';
export { messageOf } from './remote-tools.ts';
export { type RemoteServer, withoutSecrets } from './server.ts';

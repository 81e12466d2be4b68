/** What tests of other rooms reach of this one. Nothing else imports it. */

export { callResult, listPage } from './answers.ts';
export { resultText } from './call-tool.ts';
export { defineTools } from './define-tools.ts';
export { messageOf } from './remote-tools.ts';
export { type RemoteServer, withoutSecrets } from './server.ts';

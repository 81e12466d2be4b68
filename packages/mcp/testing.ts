/** What tests of other rooms reach of this one. Nothing else imports it. */
export { readMessage } from './read-message.ts';
export { ask } from './tools/ask.ts';
export { mcpTools } from './tools/index.ts';

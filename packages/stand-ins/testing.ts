/** What tests of other rooms reach of this one. Nothing else imports it. */
export { parseChatRequest } from './wire/chat-request.ts';

/** What tests of other rooms reach of this one. Nothing else imports it. */
export { boundRequest } from './bound-request.ts';
export { streamAnswer } from './completions-dialect.ts';
export { compressionInstruction, compressMessages } from './compress.ts';
export { editMessages, readMessages, writeMessages } from './edit-messages.ts';
export { chatErrors } from './errors.ts';
export { readChatBody, upstreamBody } from './read-request.ts';
export { createChunkRelay } from './stream/chunk-relay.ts';
export { createEventReader } from './stream/read-events.ts';
export { translatedMessages } from './translated-messages.ts';
export { createWrittenText } from './written-text.ts';

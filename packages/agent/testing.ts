/** What tests of other rooms reach of this one. Nothing else imports it. */
export { cutNotice } from './answer/join-answer.ts';
export { needsApproval } from './ask-caller.ts';
export { prepareCall } from './call.ts';
export { cutText, density } from './context/size.ts';
export { makeFence } from './outside/fence.ts';
export { openDocument, openPage } from './reading/open-address.ts';
export { initialState } from './state.ts';
export type { Tool } from './tool.ts';
export { safeFilename } from './tools/save-file.ts';
export { webCrawl } from './tools/web-crawl.ts';
export { writeTodos } from './tools/write-todos.ts';

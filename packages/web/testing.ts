/** What tests of other rooms reach of this one. Nothing else imports it. */
export { readHtml } from './page/article.ts';
export { convertPage } from './page/convert-page.ts';
export { plainText } from './search/plain-text.ts';
export { searchLimits } from './search/search.ts';
export { searxng } from './search/searxng.ts';
export { wikipedia } from './search/wikipedia.ts';
export { readTarget } from './target.ts';
export { answerWith, startServer } from './test-support/http-server.ts';

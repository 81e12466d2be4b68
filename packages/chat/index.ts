export { answerCompletion } from './answer-completion.ts';
export type { ChatDeps } from './deps.ts';
export type { Answering, Dialect, EventRelay, Native, StreamAnswer, WholeCompletion } from './dialect.ts';
export { chatErrors } from './errors.ts';
export type { ChatRequest } from './read-request.ts';
export { chatRoutes } from './routes.ts';
export { nothingRelayed, type Relayed } from './stream/relayed.ts';

export { answerCompletion } from './answer-completion.ts';
export type { ChatDeps } from './deps.ts';
export type { Answering, Dialect, StreamAnswer, WholeCompletion } from './dialect.ts';
export { chatErrors } from './errors.ts';
export { chatRoutes } from './routes.ts';

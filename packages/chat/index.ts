export { answerCompletion } from './answer-completion.ts';
export type { ChatDeps } from './deps.ts';
export type {
  Answering,
  ChatRequest,
  Dialect,
  EventRelay,
  Native,
  StreamAnswer,
  WholeCompletion,
} from './dialect.ts';
export { chatErrors } from './errors.ts';
export { chatRoutes } from './routes.ts';
export { nothingRelayed, type Relayed } from './stream/relayed.ts';

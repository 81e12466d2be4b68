export { answerCompletion } from './answer-completion.ts';
export type { ChatDeps } from './deps.ts';
export type {
  Answering,
  ChatRequest,
  Dialect,
  EventRelay,
  Input,
  Native,
  ReadWhole,
  StreamAnswer,
  WholeCompletion,
} from './dialect.ts';
export { chatErrors } from './errors.ts';
export { fileFields } from './image-urls.ts';
export { readChatBody } from './read-request.ts';
export { chatRoutes } from './routes.ts';
export {
  annotationsOf,
  argumentsOf,
  type CallPiece,
  callPieces,
  createCallFinder,
  type Delta,
  type TextPiece,
  textPieces,
} from './stream/delta.ts';
export { nothingRelayed } from './stream/relayed.ts';

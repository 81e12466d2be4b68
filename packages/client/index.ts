export type { Api } from './api.ts';
export type { CallOptions, ChatChunk, ChatCompletion, ChatRequest } from './chat/chat.ts';
export type { Fetch } from './connection/connection.ts';
export type { Retry } from './connection/retry.ts';
export type { Wait } from './connection/wait.ts';
export { createErrand, type Errand, type ErrandOptions } from './create-errand.ts';
export type { AnswerOf, Decision, DecisionRequest, Question, Questions } from './decisions/decide.ts';
export {
  ConnectionError,
  CreditsError,
  ErrandError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  RunError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts';
export { askedOf, describeWait, isCancelled } from './runs/describe-run.ts';
export type { FollowOptions, Reconnect, RunEvent, RunWait } from './runs/follow-run.ts';
export type { AskedCall, FollowUp, Verdict } from './runs/follow-up.ts';
export type { JsonSchema, OutputOf, StandardJsonSchema } from './runs/output-schema.ts';
export type { ListedState, Run, RunHandle, RunWith } from './runs/run-handle.ts';
export type { RunToEnd, ValueRun } from './runs/run-to-end.ts';
export type { NewRun, StartOptions } from './runs/start-run.ts';
export { stepWords } from './runs/step-words.ts';
export type { components, operations, paths } from './schema.ts';
export { columnsOf, fieldOf, pointerTo, type Row } from './tables/find-table.ts';
export { writeCsv } from './tables/write-csv.ts';
export type { OnProgress, Progress } from './uploads/send-body.ts';
export type { UploadOptions } from './uploads/send-upload.ts';

export type { Item } from './aws/attributes.ts';
export { backOff } from './aws/backoff.ts';
export { batchDelete, batchGet, batchPut } from './aws/batch.ts';
export { bucketOrigin } from './aws/bucket-origin.ts';
export { itemsByStatus } from './aws/by-status.ts';
export { type AwsClients, createAwsClients } from './aws/clients.ts';
export { ConditionsFailed } from './aws/conditions.ts';
export { copyNamed } from './aws/copy-named.ts';
export { createFiles, type Files, type StoredFile } from './aws/files.ts';
export { createInvoke, FunctionFailure, type InvokeFunction } from './aws/invoke.ts';
export { liveAlias } from './aws/live-alias.ts';
export {
  localBucket,
  localCredentials,
  localRegion,
  localWebhookQueue,
  localWorkQueue,
} from './aws/local.ts';
export type { MultipartUpload } from './aws/multipart-upload.ts';
export {
  type Packed,
  type Payload,
  packPayload,
  packText,
  unpackPayload,
  unpackText,
} from './aws/payload.ts';
export { perConnection } from './aws/per-connection.ts';
export {
  getItem,
  queryAll,
  queryPage,
  queryPages,
  scanInBackground,
  scanPages,
} from './aws/read.ts';
export { type NamedWrite, transact } from './aws/transact.ts';
export { isAwsTrouble } from './aws/trouble.ts';
export { writesFail } from './aws/watch-writes.ts';
export { deleteItem, putItem, updateItem } from './aws/write.ts';
export {
  type Clock,
  delay,
  type StartTimer,
  startTimer,
  systemClock,
  toIso,
  toSeconds,
  wait,
} from './clock.ts';
export { createCombiner } from './combine.ts';
export {
  type AwsSettings,
  type Config,
  ConfigError,
  readCatalogueSettings,
  readConfig,
  searchNeedsKey,
} from './config.ts';
export { csvText, writeCsv } from './csv.ts';
export { decodeCursor, encodeCursor } from './cursor.ts';
export type { Discrepancy } from './discrepancy.ts';
export { type SearchProviderName, searchProviders } from './environment.ts';
export {
  DomainError,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  fieldIssue,
  type Issue,
  isDomainError,
  type UnresolvedReason,
  unresolvedReasons,
} from './errors.ts';
export { asNumber, parseExactJson } from './exact-json.ts';
export {
  abortUploadsAfterDays,
  daySeconds,
  type FilePrefix,
  fileExpirations,
  filePrefixes,
} from './expirations.ts';
export { given, isFields, stringField } from './given-fields.ts';
export { preferredType } from './http/accept.ts';
export { createApp } from './http/app.ts';
export {
  boundWholeBodies,
  checkJsonSize,
  checkShape,
  describeIssue,
  issuesOf,
  parseJson,
  readBody,
  readJson,
  readJsonText,
  validate,
} from './http/body.ts';
export {
  type AnswerTime,
  answerTime,
  type Deadline,
  type DeadlineEnv,
  withDeadline,
} from './http/deadline.ts';
export { hasCurrent, listedTags } from './http/entity-tags.ts';
export type { AuthenticatedEnv, HttpEnv } from './http/env.ts';
export { type Envelope, type ErrorAnswer, requestError, serverError } from './http/envelope.ts';
export {
  answerOf,
  commonErrors,
  type ErrorTable,
  errorHandler,
  internalError,
  plainErrors,
  plainIssues,
  refusalWords,
  slowBodyMessage,
  soon,
  stoppingMessage,
  unexpectedErrors,
} from './http/errors.ts';
export { keepHeaders, nextWithHeaders, setHeaders } from './http/headers.ts';
export { meantBy, refuseMisspelt } from './http/misspelt.ts';
export { endOfRequest, onShutdown } from './http/on-shutdown.ts';
export {
  describedBy,
  describeRoutes,
  type Operation,
  type RouteDescription,
  type RouteTag,
} from './http/openapi/describe-routes.ts';
export {
  atMost,
  boundedText,
  countField,
  cursorField,
  described,
  flagField,
  nameOf,
  nullishBoundedText,
  nullishFlag,
  nullishInteger,
  nullishNumber,
  nullishObject,
  nullishText,
  numberField,
  textField,
  timeField,
} from './http/openapi/fields.ts';
export {
  jsonAnswer,
  jsonContent,
  mayHave,
  named,
  numberParameter,
  type ParameterDescription,
  type ResponseDescription,
  type RouteContent,
  textAnswer,
  textContent,
  textParameter,
} from './http/openapi/parts.ts';
export {
  agentAnswer,
  everyAnswer,
  type HeaderName,
  rateAnswer,
  responseHeaders,
  skillAnswer,
} from './http/openapi/response-headers.ts';
export {
  envelopeSchema,
  failures,
  keyRefusals,
  noCredits,
  notFound,
  refusalSchema,
  routeForbidden,
  slowBody,
  unpaidEnvelopeSchema,
  unpaidSchema,
} from './http/openapi/shared-responses.ts';
export { newestVersion, originSecretHeader, versionHeader } from './http/origin-secret.ts';
export { refuseUpgrade } from './http/refuse-upgrade.ts';
export { requestLog } from './http/request-log.ts';
export { securityHeaders } from './http/security-headers.ts';
export {
  eventStreamHeaders,
  formatEvent,
  formatRetry,
  streamResponse,
} from './http/sse.ts';
export { createStoppableServer } from './http/stoppable-server.ts';
export { bytesBody, rawWriteOf, streamBody } from './http/stream-body.ts';
export { keepAliveComment, type StreamWriter } from './http/stream-writer.ts';
export { isUuid, newId, newUuid, randomText, sha256Hex, toBase62, uuidOf } from './ids.ts';
export { inParallel } from './in-parallel.ts';
export { callerLimits, limits } from './limits.ts';
export { createLog, describeError, type Log, type LogFields, silentLog } from './log.ts';
export { nearestOf } from './nearest.ts';
export {
  type OrderedJson,
  type OrderedObject,
  parseOrderedJson,
  stringifyOrderedJson,
} from './ordered-json.ts';
export { objectOf, orderedRecord } from './ordered-schema.ts';
export { ownTurn } from './own-turn.ts';
export { type Price, priceFields, priceFrom } from './price.ts';
export {
  type Budget,
  type BudgetPeriod,
  budgetPeriods,
  type KeyEnd,
  type KeyLimits,
  type Principal,
  type RouteFamily,
  routeFamilies,
} from './principal.ts';
export { escapeControls, hasControls } from './printable.ts';
export { logProcess } from './process-log.ts';
export { pollQueue } from './queue/poll-queue.ts';
export { queueNumbers } from './queue/queue-numbers.ts';
export type { SqsRecord } from './queue/sqs-event.ts';
export { createRecentCache, type RecentCache } from './recent-cache.ts';
export {
  boundedList,
  describePageLimit,
  hasAtMost,
  isSavedValueName,
  metadataMap,
  modelId,
  notList,
  oneOf,
  pageLimit,
  queryText,
  remoteLabel,
  repeatRules,
  shownAs,
  unchecked,
  wellFormed,
  wholeNumber,
} from './schema.ts';
export { createSealer, isSealed, leastSecretCharacters, SealBroken, type Sealer } from './sealing.ts';
export { createSemaphore, type Semaphore, takeWhileAsked } from './semaphore.ts';
export { createSizedCache, type SizedCache } from './sized-cache.ts';
export {
  localTableDefinitions,
  localTableNames,
  runsPartitions,
  servingTag,
  stageTablePrefix,
  type TableDefinition,
  type TableId,
  type TableNames,
  tableDefinitions,
} from './tables.ts';
export { keptThread, type NumberedAnswer, type NumberedTask } from './threads/kept-thread.ts';
export {
  allowOneThread,
  hasRoomForOneThread,
  runInThread,
  ThreadError,
  type ThreadLimits,
  takeLargeImageRoom,
  takeRoom,
  takeWaitingRoom,
  threadProgram,
} from './threads/run-in-thread.ts';
export { measureWaits, takeTurn, watchWaits } from './threads/waits.ts';
export { createSpanExporter, type SpanExporter } from './traces/exporter.ts';
export type { Span } from './traces/span.ts';
export {
  contextOfWork,
  readTraceparent,
  type TraceContext,
  writeTraceparent,
} from './traces/trace-context.ts';
export { createTurns } from './turns.ts';
export { withChanges } from './with-changes.ts';

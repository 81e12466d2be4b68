/**
 * The limits that a caller can meet. docs/limits.md is made of them and of the words behind them: `UPDATE_DOCS=1 npm test -- test/architecture`.
 */
export const callerLimits = {
  // ## Every request
  requestsPerWindow: 600, // Requests in a window, of all keys of an account; the operator may set another number
  windowSeconds: 900, // The window of the rate
  keyCacheMilliseconds: 5_000, // A revoked key still works, and a skill is used as it was before a change, for up to
  jsonBodyBytes: 6 * 1024 * 1024, // JSON body
  bodyMilliseconds: 15_000, // A JSON body is whole after, or brings its least rate in each such stretch; after it, a 408
  bodyBytesPerSecond: 16_384, // The least rate of a JSON body that takes longer
  jsonNestingLevels: 1_000, // Nesting of a JSON body
  jsonEntries: 100_000, // Commas between entries of a JSON body, those in texts not counted
  parameterCharacters: 4_096, // Parameter of a query; in a path no name is as long
  markCharacters: 512, // Text of a request that is passed on or shown again, such as `user`, where no other limit is named
  safetyIdentifierCharacters: 128, // `safety_identifier`
  promptCacheKeyCharacters: 64, // `prompt_cache_key`
  pageEntries: 100, // Runs, events or saved values on a page
  versionsPageReads: 2, // Reads of 1 MB for a page of versions; what they leave is on the next one
  pageEntriesByDefault: 20, // Runs or saved values on a page, if `limit` is not given
  answerMilliseconds: 55_000, // Time for an answer that is not streamed; the operator may give it more

  // ## Runs
  questionCharacters: 200_000, // Question
  shownQuestionCharacters: 512, // What a run shows of its question
  runSearchCharacters: 200, // `search` of a list of runs
  runsLookedThrough: 1_000, // Runs that one page of a list looks through
  metadataEntries: 16, // Entries of `metadata`
  metadataKeyCharacters: 64, // Key of `metadata`
  metadataValueCharacters: 512, // Value of `metadata`
  idempotencyKeyCharacters: 255, // `Idempotency-Key`
  roundsPerRun: 20, // Rounds of tool calls
  roundsAtLowEffort: 4, // Rounds of tool calls of a run with `effort` low
  roundsAtHighEffort: 40, // Rounds of tool calls of a run with `effort` high
  subRunsAtOnce: 8, // Sub-runs of a run at the same time
  subRunsPerRun: 24, // Sub-runs of a run
  subRunQuestionCharacters: 4_000, // Question of a sub-run
  subRunReportCharacters: 8_000, // What a run reads of the report of a sub-run
  subRunPatienceSeconds: 60 * 60, // A run waits for its sub-runs
  answerContinuations: 4, // Continuations of an answer that was cut
  sourcesPerClaim: 8, // Sources of one claim that are cited
  citationsPerAnswer: 500, // Citations of an answer, from which on no further claim is cited or proved
  citationMilliseconds: 60_000, // Looking for the passages of an answer's claims; those that are not found by then have none
  shownPerClaimCharacters: 12_000, // What the model was shown of a claim's sources, for the proof of a claim that shares no word with them
  claimsProvedByShown: 32, // Claims of an answer that are proved so; further ones have no support
  proofMilliseconds: 120_000, // Proving the claims of an answer; no pass begins after it
  numberedSources: 999, // Sources of a run that have a number
  toolCallsPerCompletion: 16, // Tool calls of one completion
  fetchedBytesPerRun: 200_000_000, // What the tool calls of a run fetch
  fetchedHostsPerRun: 32, // Hosts that the tool calls of a run fetch from
  fencedValueCharacters: 8, // Saved value that is kept out of addresses, from
  fencedAttachmentCharacters: 32, // Piece of an uploaded file that is kept out of addresses
  modelAddressCharacters: 4_096, // An address that a model gives to a tool
  searchQueryCharacters: 1_000, // A query that a model searches for
  queriesPerSearch: 5, // Queries of one search, wordings of one query for passages
  embeddedPassages: 4_096, // Passages of a material that are found by their meaning, where a model has the role; of more they are found by words alone
  outputTokensPerCompletion: 4_096, // Output of each completion; of a model with hidden reasoning, what it writes for people
  outputTokensPerValue: 16_384, // Output of a completion that may write the value of a run with a schema, at most a quarter of its model's context
  valueRepairs: 2, // How often a value that does not fit goes back to its model with what is wrong, in the loop and in the check each
  // Thinking and signatures of it. A completion with more cannot be read.
  opaqueBytes: 1_000_000, // What a model's message brings that its provider wants back
  upstreamPatienceSeconds: 900, // A run waits for a model provider, unless configured otherwise
  checkPatienceSeconds: 60, // A run waits for a model provider in the final check
  completionMilliseconds: 360_000, // Time for a completion, all tries without a pause
  checkCompletionMilliseconds: 180_000, // Time for a completion in the final check, all tries without a pause
  toolMilliseconds: 60_000, // Time for a tool call, without its wait for others' pages and documents
  audioToolMilliseconds: 600_000, // Time for a transcription
  runsPerThread: 100, // Runs of a chain, each of which goes on from the one before
  followedCharacters: 6_000_000, // What a run may leave to the one that goes on from it, as JSON
  replyCharacters: 200_000, // A result of a function that its caller brings
  refusalReasonCharacters: 1_000, // Why a caller refuses a call
  runReadableSeconds: 24 * 60 * 60, // A run can be read for, unless configured otherwise
  deathsPerRun: 3, // Workers that may die at one run alone, without progress in between
  shownWaitSeconds: 2, // A run says that it waits in the queue after
  queuedResendSeconds: 60, // A waiting run that is read is sent to a worker again after
  streamsPerRun: 8, // Streams of one run
  streamMilliseconds: 300_000, // A stream of events on Lambda
  // What closes idle connections (proxies, browsers) waits at least twice this long.
  keepAliveMilliseconds: 15_000, // Silence of any stream before a comment

  // ## Results with a schema
  outputSchemaBytes: 64 * 1024, // `outputSchema` of a run
  outputSchemaProperties: 500, // Properties of all objects of a schema
  outputSchemaLevels: 10, // Objects and lists within each other in a schema, references not followed
  outputSchemaAlternatives: 50, // Schemas (`anyOf`, `oneOf`, `$ref`) that a schema says of one value, references followed
  outputEnumValues: 1_000, // Values of all `enum`s of a schema
  outputPatternCharacters: 1_000, // A `pattern`
  outputNameCharacters: 256, // Name of a property or definition
  valueProblems: 20, // What does not fit of a value, as it is told
  basisFields: 500, // Fields of a value that have a basis
  basisPointerCharacters: 131_072, // Their pointers together; further fields have no basis
  valueEntries: 20_000, // Commas between entries of a value that is read, with its sources, those in texts not counted
  valueCharacters: 262_144, // What is read of a value that a model writes, with its sources

  // ## Files and values
  imageBytes: 10_000_000, // Image
  recordingBytes: 250_000_000, // Recording
  documentBytes: 50_000_000, // Document
  fetchedDocumentBytes: 50_000_000, // Page or document at an address
  urlCharacters: 16_384, // An address that is fetched
  pageBytes: 5_000_000, // Web page; another text that is longer is read as a document
  pageCharacters: 8_000_000, // Text of a web page, cut after
  pageConversionMilliseconds: 20_000, // Time for turning a web page into text
  // More than all the text of a usual file that is taken.
  documentCharacters: 64_000_000, // Text of a document, cut after
  documentConversionMilliseconds: 40_000, // Time for turning a document into text
  uploadFieldBytes: 1_000_000, // Text field of a form
  uploadStallMilliseconds: 60_000, // Silence while a form is sent
  uploadLinkSeconds: 15 * 60, // The link of an upload
  uploadUsableSeconds: 60 * 60, // An upload can be used for
  openUploads: 20, // Open uploads of an account
  savedFileBytes: 1_000_000, // Saved file
  savedFileLinkSeconds: 24 * 60 * 60, // The link of a saved file
  presignedRedirectSeconds: 300, // The link into the storage that the link of a saved file leads to
  savedValueCharacters: 10_000, // Saved value
  savedValueNameCharacters: 128, // Name of a saved value
  savedNamesAfterOutside: 10, // Names under which a run saves values once it has read material from outside

  // ## Responses
  responseKeptSeconds: 24 * 60 * 60, // A response is kept for
  includedNames: 16, // Names in `include`
  unreadBytes: 512 * 1024, // What a request may have that its model does not read, such as annotations
  unreadBytesPerItem: 512, // and beside them for each item of its input
  referredItems: 50_000, // Items of the responses that an input takes its items from
  referredBytes: 16 * 1024 * 1024, // Bytes of the responses that an input takes its items from
  // Where no kept response has all items of an input.
  responsesPerInput: 20, // Responses that an input takes its items from

  // ## Messages
  anthropicBetaCharacters: 2_048, // `anthropic-beta`

  // ## MCP
  mcpAgentTools: 50, // Stored agents that are tools of `/mcp`
  mcpProgressSeconds: 280, // How long a tool of `/mcp` waits for a run, for a client that shows progress
  // Such clients give up after a minute.
  mcpWaitSeconds: 50, // How long a tool of `/mcp` waits for a run, for any other client
  mcpRepeatedCharacters: 128, // `progressToken` and the id of a message to `/mcp`, the names of its method, tool and resource
  mcpMessageFields: 256, // Fields of a message to `/mcp`, of its `params`, of their `_meta` and of the arguments of a tool

  // ## Webhooks
  webhooksPerKey: 10, // Webhooks of a key
  webhookDescriptionCharacters: 500, // Description of a webhook
  webhookMilliseconds: 15_000, // Time for a receiver of a webhook to answer
  webhookAttemptsPerAccount: 16, // Deliveries of an account under way at once; the others wait
  webhookAttemptsPerHost: 4, // Deliveries of an account to one host under way at once
  webhookAttemptsSeconds: 72 * 60 * 60, // How long a delivery is tried
  webhookDeliveryKeptSeconds: 7 * 24 * 60 * 60, // How long a delivery is listed
  webhookAnswerBytes: 1_024, // What is kept of a receiver's answer
  webhookRotationSeconds: 24 * 60 * 60, // How long the old secret of a webhook signs after a rotation

  // ## Schedules
  schedulesPerAccount: 100, // Schedules of an account, of all its keys
  scheduleNameCharacters: 100, // Name of a schedule
  cronCharacters: 100, // `cron`
  scheduleLeastSeconds: 60, // The shortest `every`
  scheduleMostSeconds: 31 * 24 * 60 * 60, // The longest `every`
  scheduleBodyBytes: 262_144, // What a schedule repeats, as JSON
  notifyQuestionCharacters: 4_000, // Question of `notifyIf`
  notifyResultCharacters: 12_000, // What the question of `notifyIf` is asked about: of this result, and of the one before
  scheduleOutcomesShown: 10, // Outcomes that a schedule shows
  scheduleOutcomeKeptSeconds: 90 * 24 * 60 * 60, // How long an outcome is kept
  scheduleOpenRuns: 5, // Runs of a schedule that have not ended, from which on it is not run at once
  scheduleAttempts: 5, // How often the start of a run is tried that fails through a fault of the service
  scheduleRefusals: 5, // Refusals in a row, after which a schedule is due less often
  scheduleRefusalPauseSeconds: 60 * 60, // The longest time that is left out after a refusal
  scheduleMissedCounted: 100, // Missed instants that an outcome counts
  scheduleKeptSeconds: 30 * 24 * 60 * 60, // How long a schedule is kept whose key was revoked

  // ## Tools that people bring
  remoteServersPerRun: 4, // Servers of a run
  remoteToolsPerRun: 64, // Tools of all servers of a run, and entries of `allowedTools`
  remoteDefinitionsBytes: 32 * 1024, // Definitions of all tools of the servers of a run
  remoteListMilliseconds: 10_000, // Time for the list of a server's tools
  remoteProbeMilliseconds: 1_600, // Time for a server to say that it has the newest version of the protocol; after it, an older one is spoken
  remoteAnswerBytes: 1_000_000, // What is read of one answer of a server
  functionsPerRun: 64, // Functions of the caller in a run
  functionDefinitionsBytes: 32 * 1024, // Definitions of all functions of a run
  functionNameCharacters: 64, // Name of a function
  callIdCharacters: 4_096, // Id of a call of a model
  toolNameCharacters: 192, // Name of a tool in `approve`
  approveThreshold: 0.9, // Probability with which `auto` approves a call, unless the run says another
  digestCharacters: 64, // Digest of a call
  remoteArgumentsCharacters: 8_192, // Arguments of a call of a server's tool
  authorizationCharacters: 4_096, // `authorization` of a server

  // ## Skills
  skillsPerAccount: 1_000, // Skills of an account; it may have as many stored agents
  skillNameCharacters: 64, // Name of a skill
  skillDescriptionCharacters: 500, // Description of a skill
  skillInstructionsCharacters: 20_000, // Instructions of a skill
  frontMatterCharacters: 8_192, // Front matter of a `SKILL.md`
  skillVersionsPerPage: 100, // Versions of a skill, or an agent, on a page

  // ## Stored agents
  agentDefinitionBytes: 100_000, // Definition of an agent, as JSON

  // ## Decisions
  decisionBodyBytes: 4 * 1024 * 1024, // Body of a decision
  decisionQuestions: 32, // Questions of `POST /v1/systemone`, and of a pass
  openAiQuestions: 400, // Questions of `POST /v1/decisions`
  decisionQuestionIdCharacters: 128, // Id of a question
  decisionOptions: 255, // Options of a `choice`
  decisionLevels: 10, // Levels of a `score`
  leastLabelMass: 0.01, // Probability that the labels of a question must have together, unless the catalogue says otherwise
  decisionContextTokens: 16_384, // Context of a decision, unless the catalogue says otherwise

  // ## Chat and money
  streamFirstByteMilliseconds: 15_000, // A stream of a completion begins without a chunk after
  completionParameters: 256, // Parameters of a completion
  completionInputContexts: 1.5, // Contexts of its model (`contextTokens` of the catalogue) that the text of a completion may fill, by the o200k encoding
  choicesPerCompletion: 8, // Choices of a completion (`n`), unless the catalogue says otherwise
  describedGrammarCharacters: 16_384, // Grammar of a custom tool that its model reads in a description
  embeddedTexts: 2_048, // Texts of a request for embeddings
  reservedOutputTokens: 4_096, // Output reserved for an answer without `max_tokens`, unless the catalogue says otherwise
  reservedReasoningTokens: 32_768, // Output reserved for the same of a model with hidden reasoning
  reservedImageTokens: 4_096, // Input reserved for a picture, unless the catalogue says otherwise
  reservedFileTokens: 131_072, // Input reserved for a part with audio, video or a document, where the catalogue has no `contextTokens`
  inlinedImages: 8, // Images fetched for a completion, where the catalogue says so
  inlinedImagesBytes: 10_000_000, // Bytes of the images fetched for a completion together
  inlinedImagesMilliseconds: 15_000, // Time to fetch the images of a completion
  upstreamSilenceSeconds: 300, // Silence of the upstream of a stream, unless the catalogue says otherwise
  upstreamPingSeconds: 900, // Signs of life without content, such as comments, keep the stream of an upstream open for
  streamStallMilliseconds: 60_000, // A client that reads nothing of its stream is waited for
  ledgerPageEntries: 100, // Ledger entries on a page
  usageDays: 366, // Time that a report of usage may have
  usageDaysByDefault: 30, // Time of a report of usage if none is given
  usageRows: 20_000, // Rows of a report of usage
} as const;

/** With the wait for a write of the payer's earlier charges, they fit into the 5 s between our limit for an answer and the edge's. */
const charging = {
  chargeAttempts: 3,
  /** For an attempt to write a charge, and for its deferral. */
  chargeAttemptMilliseconds: 1_000,
  /** The sum of all waits between the attempts. */
  chargeWaitsMilliseconds: 300,
  /** For the only attempt of a process that ends, with the wait for the payer's earlier charges. */
  lastChargeAttemptMilliseconds: 2_500,
} as const;

const chargeMilliseconds =
  (charging.chargeAttempts + 1) * charging.chargeAttemptMilliseconds + charging.chargeWaitsMilliseconds;
const lastChargeMilliseconds = charging.lastChargeAttemptMilliseconds + charging.chargeAttemptMilliseconds;

/** How a process stops, on one machine within 15 s: its grace, then the end of what is in flight, then its connections. */
const shutdown = {
  // ## A stop
  stopSeconds: 15, // A stop takes no longer than
  shutdownGraceMilliseconds: 10_000, // Work in flight is given to end
  containerGraceMilliseconds: 100_000, // The same in a container of the stack, which AWS ends 120 s after its SIGTERM

  /** A stream that is ended charges before its last chunk, which must then be read. */
  shutdownStreamMilliseconds: lastChargeMilliseconds + 300,
  /** For what was charging when the grace ended. */
  shutdownAnswerMilliseconds: chargeMilliseconds + 100,
  /** A client that still sends must be able to read its refusal before its connection is reset. */
  shutdownLingerMilliseconds: 300,
  /** The end of a stop that hangs. */
  shutdownExitMilliseconds: 14_800,
  forcedExitMilliseconds: lastChargeMilliseconds + 500,
} as const;

/** Every limit, with those that protect the service. Units are in the names. */
export const limits = {
  ...callerLimits,
  ...charging,
  ...shutdown,

  // ## What protects the service
  unfinishedBodiesBytes: 128 * 1024 * 1024, // JSON bodies that are still arriving, all of a process together; past it, the one that has brought nothing for the longest is refused
  wholeBodiesBytes: 128 * 1024 * 1024, // JSON bodies over 64 KiB of requests that a container of the stack is answering; past it, and past twice what is left for others, an account's next one is refused
  unreadAnswersBytes: 128 * 1024 * 1024, // Answers that their clients have not read yet, all of a process together; past it, the connection with the most of them is cut
  largeReadsAtOnce: 4, // Pages of events, and kept responses, that a process reads at a time
  answeredBodyMilliseconds: 5_000, // A request that was answered before its body was whole may go on sending for
  filesStoredAtOnce: 12, // Large files of forms that a process takes in at once
  storingWaitMilliseconds: 20_000, // Any other large file waits for its turn, and is then refused (503), for
  largeBodiesAtOnce: 3, // Documents of addresses over 5 MB in the memory of a process
  documentsReadAtOnce: 3, // Documents of requests in the memory of a process: those in threads, and one that is being fetched
  responseKeepingMilliseconds: 2_000, // A response that could not be stored by then is answered without being kept
  shownRefusalCharacters: 1_000, // What is shown of a provider's message
  reservationSeconds: 60, // A reservation without renewal ends after
  reservationRenewalMilliseconds: 10_000, // A call in work renews its reservation every
  clockSkewMilliseconds: 5_000, // Clocks of processes may differ by
  usageAfterLeavingMilliseconds: 2_000, // The stream of a model with hidden reasoning is read for its usage after its caller has left, for
  keyCheckMilliseconds: 4_000, // What is under way asks whether its key still works every
  upstreamFailuresInARow: 3, // Failures in a row after which an upstream is left out
  upstreamLeftOutMilliseconds: 30_000, // An upstream that failed is left out for
  upstreamProbeMilliseconds: 10_000, // The one request that asks it then keeps the others away for
  upstreamSilentMilliseconds: 60_000, // An upstream from which nothing comes while requests wait for it is left out after
  firstByteWithFallbackMilliseconds: 60_000, // A fallback is asked if the upstream of a stream has sent no head after
  suspectRestMilliseconds: 30_000, // Runs beside one that may have killed its worker are left alone for
  usageGraceMilliseconds: 20 * 60_000, // How long after its end an hour of the ledger is closed: longer than an invocation that writes into the hour can last
  threadWaitMilliseconds: 300_000, // A call of a tool waits for threads, beside its own time, for
  longestPatienceSeconds: 6 * 60 * 60, // The most that `UPSTREAM_PATIENCE_SECONDS` may be
  longestAnswerSeconds: 115, // The most that `ANSWER_SECONDS` may be
  activeRunsPerAccount: 100, // The most that `ACTIVE_RUNS_PER_ACCOUNT` may be
  runReadableDays: 365, // The most that `RUN_READABLE_DAYS` may be
  waitingRunSeconds: 300, // A run that waits for its turn is sent again after
  calibrationCasesAtOnce: 8, // Cases of a calibration that are asked at a time
  readDocumentBytes: 64 * 1024 * 1024, // The largest document that is read, and what a zip archive in it may unpack to
  fewEmbeddedTexts: 64, // A request for embeddings of more texts is large: it is asked for in base64, and
  largeEmbeddingsAtOnce: 4, // Large requests for embeddings under way at once in a process; the others wait
  embeddingNumbers: 16_384, // Numbers of a vector; an answer with more cannot be read
  embeddingMilliseconds: 15_000, // The vectors of a material, or of a query, take at most; then its passages are found by words alone
  passagesMilliseconds: 30_000, // Cutting and searching the passages of a material takes
  valueCheckMilliseconds: 5_000, // The check of a value against its schema takes

  /** A request whose body is slower is counted before its cost is known. */
  uncountedMilliseconds: 5_000,
  /** For accounts that come back late: a call of a dead process is charged when the account is next seen. */
  draftKeptSeconds: 90 * 24 * 60 * 60,

  streamCheckMilliseconds: 4_000,
  unreadCheckMilliseconds: 500,

  /** The reading of a larger JSON body has a turn of the event loop for itself. */
  ownTurnBytes: 64 * 1024,

  eventInlineBytes: 32 * 1024,
  checkpointChangesBytes: 64 * 1024,
  transactionBytes: 1_000_000,
  transactionItems: 25,

  busyWriteMilliseconds: 2,
  fullWriteMilliseconds: 5,
  streamEventCharacters: 16 * 1024 * 1024,

  runsPerInvocation: 10,
  /** A run that is begun later would be handed on before most runs end. */
  invocationTakeMilliseconds: 300_000,
  invocationHandOverMilliseconds: 120_000,
  invocationAbandonMilliseconds: 20_000,
  invocationEndMilliseconds: 8_000,

  keyModels: 100,
  keyAgents: 100,
  keyRateRequests: 1_000_000,

  /** The same failure of an upstream is one line of the log in this time. */
  sameFailureMilliseconds: 60_000,
  /** Spans that wait to be sent; the oldest of more are dropped. */
  spansHeld: 2_048,
  spansPerRequest: 512,
  spanBatchMilliseconds: 5_000,
  /** What an answer's function, or a worker, waits for the collector at most. */
  spanSendMilliseconds: 2_000,
  /** The collector is left alone after a failure, which is one line of the log. */
  spanPauseMilliseconds: 60_000,
  /** Of each text in a span, if the operator wants texts. */
  spanTextCharacters: 4_096,

  /** What is read of an upstream's message. */
  readRefusalCharacters: 8_000,

  /** For instructions, which have at most 80 KB each. */
  skillCacheBytes: 16_000_000,
  /** For definitions of agents. */
  agentCacheBytes: 16_000_000,

  /** Items of a page that is read from a table, where nothing says how many. */
  storePageItems: 1_000,

  healthReadMilliseconds: 2_000,
  healthKeptMilliseconds: 1_000,

  streamRequestsAtOnce: 16,
  headReadsAtOnce: 2,

  deathsShared: 2,
  /** After `queuedResendSeconds` a reader has the message of a run without a worker sent again. */
  longestPauseMilliseconds: (callerLimits.queuedResendSeconds - 10) * 1000,
  longestLeaseSeconds: 900,

  /** What is read of a recording at once to tell its length, and how often. */
  recordingPartBytes: 256 * 1024,
  recordingParts: 4,
  /** The longest tag in front of a recording that is kept while its length is read. */
  recordingTagBytes: 2 * 1024 * 1024,
  /** A report that needs longer is refused; what it has rolled up is kept for the next one. */
  usageMilliseconds: 50_000,
  usageReadsAtOnce: 6,
  rollUpPartBytes: 300_000,
  rollUpKeptSeconds: 7 * 24 * 60 * 60,

  /** Between the message of the queue that points to an end of a run and the first look for it: most ends are written by then. */
  webhookFirstLookSeconds: 1,
  /** The longest delay of a message in SQS. */
  webhookHopSeconds: 900,
  /** Longer than a receiver may take: an attempt that is under way for longer is a dead process's. */
  webhookUnderWayMilliseconds: callerLimits.webhookMilliseconds + 15_000,
  /** The shortest wait of a delivery for another one of its account to end. */
  webhookRoomMilliseconds: 2_000,
  /** A message that nobody could read for so long is given up. SQS forgets its own after two weeks too. */
  webhookMessageKeptSeconds: 14 * 24 * 60 * 60,
  /** What was told once is not told again in this time. */
  webhookToldSeconds: 366 * 24 * 60 * 60,

  /** Schedules are due in so many partitions. */
  scheduleShards: 8,
  /** Of each partition, schedules that are looked after at once. */
  schedulesAtOnce: 4,
  /** How long a start of a run may take, and a look at one that has ended. */
  scheduleFireMilliseconds: 30_000,
  /** Longer than a start may take: what began a longer time ago has died. It is doubled with each attempt, up to an hour. */
  scheduleClaimMilliseconds: 60_000,
  scheduleLongestClaimMilliseconds: 60 * 60 * 1000,
  /** A tick takes no further schedule after it; the next one does. */
  scheduleTickMilliseconds: 50_000,
  /** The first pause before a started run is looked at, which is doubled up to the longest. */
  scheduleLookMilliseconds: 30_000,
  scheduleLongestLookMilliseconds: 240_000,

  /** The pages of a list of remote tools that are read. */
  remoteListPages: 20,
  /** Requests to a server whose answers have not begun. */
  remoteRequestsAtOnce: 16,
  /** The tools of a server that are looked at. */
  remoteToolsListed: 2_000,
  /** The shortest pause before a stream of a remote server is resumed. */
  remoteResumeMilliseconds: 1_000,
  /** How long the end of a session with a remote server is waited for. */
  remoteGoodbyeMilliseconds: 1_000,

  unpackedDocumentBytes: 256 * 1024 * 1024,
  documentMembers: 20_000,

  simultaneousThreads: 2,
  /** Of a process with memory for one thread: bodies over this size that wait for it, each of 5 MB at most. */
  waitingBodyBytes: 512 * 1024,
  waitingBodiesAtOnce: 8,
  /** Beside that thread. An image is in memory up to four times until it is described: four of 10 MB at once took a worker of 512 MB to 506 MB. */
  largeImageBytes: 3_000_000,
  largeImagesAtOnce: 2,
  /** With less memory, one thread works at a time: two may take 1,150 MB each, and the process has the rest. */
  memoryForThreadsMegabytes: 3_072,
  threadYoungMegabytes: 64,
  pageConversionMegabytes: 192,
  pageOutsideMegabytes: 64,
  documentConversionMegabytes: 512,
  /** How long a called function is waited for. Functions that are called have less time themselves. */
  calledFunctionMilliseconds: 90_000,
  /** How often the converter looks whether its caller has gone. */
  conversionCancelMilliseconds: 2_000,

  /** The thread that counts the tokens of long requests: how many at a time, for how long, and when it ends. */
  countsAtOnce: 4,
  countMilliseconds: 30_000,
  countIdleMilliseconds: 30_000,
  countMegabytes: 192,
  /** An upstream that is asked to count answers within this, or the text is counted here. */
  upstreamCountMilliseconds: 10_000,

  valueCheckMegabytes: 64,

  passagesMegabytes: 192,
  passagesOutsideMegabytes: 64,
} as const;

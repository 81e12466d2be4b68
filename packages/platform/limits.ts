/** The limits that a caller can meet. The table of limits in docs/api.md has exactly these, which a test compares. */
export const callerLimits = {
  requestsPerWindow: 600,
  windowSeconds: 900,

  questionCharacters: 200_000,
  metadataEntries: 16,
  metadataKeyCharacters: 64,
  metadataValueCharacters: 512,
  queriesPerSearch: 5,
  /** How often a run's answer that was cut at its greatest length is continued. */
  answerContinuations: 4,
  /** The sources of one claim that are cited, and the citations of one answer. */
  sourcesPerClaim: 8,
  citationsPerAnswer: 500,
  /** The time in which the passages of an answer's claims are looked for, and that in which they are proved. */
  citationMilliseconds: 60_000,
  proofMilliseconds: 120_000,
  /** The sources of a run that get a number. */
  numberedSources: 999,
  roundsPerRun: 20,
  outputTokensPerCompletion: 4_096,
  runReadableSeconds: 24 * 60 * 60,
  idempotencyKeyCharacters: 255,

  upstreamPatienceSeconds: 900,
  checkPatienceSeconds: 60,
  completionMilliseconds: 360_000,
  checkCompletionMilliseconds: 180_000,

  imageBytes: 10_000_000,
  recordingBytes: 250_000_000,
  documentBytes: 50_000_000,
  /** Of a page or a document at an address. */
  fetchedDocumentBytes: 50_000_000,
  uploadFieldBytes: 1_000_000,
  uploadLinkSeconds: 15 * 60,
  uploadUsableSeconds: 60 * 60,
  uploadStallMilliseconds: 60_000,

  savedFileBytes: 1_000_000,
  savedValueCharacters: 10_000,
  savedValueNameCharacters: 128,
  savedFileLinkSeconds: 24 * 60 * 60,
  presignedRedirectSeconds: 300,

  toolMilliseconds: 60_000,
  audioToolMilliseconds: 600_000,

  toolCallsPerCompletion: 16,
  fetchedBytesPerRun: 200_000_000,
  fetchedHostsPerRun: 32,
  savedNamesAfterOutside: 10,
  fencedValueCharacters: 8,
  fencedAttachmentCharacters: 32,
  modelAddressCharacters: 4_096,
  searchQueryCharacters: 1_000,

  skillNameCharacters: 64,
  skillDescriptionCharacters: 500,
  skillInstructionsCharacters: 20_000,
  skillVersionsPerPage: 100,

  decisionQuestions: 32,
  /** Of a request in OpenAI's words. They are read in as many passes as they need. */
  openAiQuestions: 400,
  decisionQuestionIdCharacters: 128,
  decisionOptions: 255,
  decisionLevels: 10,
  decisionContextTokens: 16_384,
  decisionBodyBytes: 4 * 1024 * 1024,

  jsonBodyBytes: 6 * 1024 * 1024,
  jsonNestingLevels: 1_000,
  jsonEntries: 100_000,

  completionParameters: 256,
  choicesPerCompletion: 8,
  reservedOutputTokens: 4_096,
  reservedReasoningTokens: 32_768,
  reservedImageTokens: 4_096,
  reservedFileTokens: 131_072,
  inlinedImages: 8,
  inlinedImagesBytes: 10_000_000,
  inlinedImagesMilliseconds: 15_000,

  responseKeptSeconds: 24 * 60 * 60,
  /** The kept responses that the items of one input may be taken from, where none has what the others have. */
  responsesPerInput: 20,

  /** How long a tool of `/mcp` waits for a run: for clients that show progress, and for others, which give up after a minute. */
  mcpProgressSeconds: 280,
  mcpWaitSeconds: 50,

  webhooksPerKey: 10,
  webhookDescriptionCharacters: 500,
  webhookMilliseconds: 15_000,
  /** How long a delivery is tried, and how long a receiver fails until it is switched off. */
  webhookAttemptsSeconds: 72 * 60 * 60,
  webhookDeliveryKeptSeconds: 7 * 24 * 60 * 60,
  webhookAnswerBytes: 1_024,
  /** How long the secret before signs too, after a rotation. */
  webhookRotationSeconds: 24 * 60 * 60,

  remoteServersPerRun: 4,
  remoteToolsPerRun: 64,
  /** Of all definitions of a run's remote tools together, as JSON. */
  remoteDefinitionsBytes: 32 * 1024,
  remoteListMilliseconds: 10_000,
  /** What is read of one answer of a server. */
  remoteAnswerBytes: 1_000_000,
  remoteArgumentsCharacters: 8_192,
  authorizationCharacters: 4_096,

  answerMilliseconds: 55_000,
  /** How long the stream of a completion waits for its upstream before it begins without a chunk. */
  streamFirstByteMilliseconds: 15_000,
  streamStallMilliseconds: 60_000,
  upstreamSilenceSeconds: 300,
  /** The longest silence of a stream: what closes idle connections (proxies, browsers) waits at least twice this long. */
  keepAliveMilliseconds: 15_000,
  streamMilliseconds: 300_000,

  streamsPerRun: 8,
  openUploads: 20,

  keyCacheMilliseconds: 5_000,
  pageEntries: 100,
  pageEntriesByDefault: 20,
  ledgerPageEntries: 100,
  usageDays: 366,
  usageDaysByDefault: 30,
  usageRows: 20_000,
  deathsPerRun: 3,
  queuedResendSeconds: 60,

  urlCharacters: 16_384,
  pageBytes: 5_000_000,
  pageCharacters: 8_000_000,
  pageConversionMilliseconds: 20_000,
  /** More than all the text of a usual file that is taken. */
  documentCharacters: 64_000_000,
  documentConversionMilliseconds: 40_000,
} as const;

/** With the wait for a write of the payer's earlier charges, they fit between our limit for an answer and the edge's, 60 s. */
const charging = {
  chargeAttempts: 3,
  /** For an attempt to write a charge, and for its deferral. */
  chargeAttemptMilliseconds: 1_000,
  /** All waits between the attempts. */
  chargeWaitsMilliseconds: 300,
  /** For the only attempt of a process that ends, with the wait for the payer's earlier charges. */
  lastChargeAttemptMilliseconds: 2_500,
} as const;

const chargeMilliseconds =
  (charging.chargeAttempts + 1) * charging.chargeAttemptMilliseconds + charging.chargeWaitsMilliseconds;
const lastChargeMilliseconds = charging.lastChargeAttemptMilliseconds + charging.chargeAttemptMilliseconds;

/** How a process stops, within 15 s: its grace, then the end of what is in flight, then its connections. */
const shutdown = {
  shutdownGraceMilliseconds: 10_000,
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

  reservationSeconds: 60,
  reservationRenewalMilliseconds: 10_000,
  /** A request whose body is slower is counted before its cost is known. */
  uncountedMilliseconds: 5_000,
  /** For accounts that come back late: a call of a dead process is charged when the account is next seen. */
  draftKeptSeconds: 90 * 24 * 60 * 60,

  /** How long the stream of a model with hidden reasoning is read for its usage after its caller has left. */
  usageAfterLeavingMilliseconds: 2_000,

  keyCheckMilliseconds: 4_000,
  streamCheckMilliseconds: 4_000,

  /** A response that is not kept by then is told without being kept. */
  responseKeepingMilliseconds: 2_000,

  eventInlineBytes: 32 * 1024,
  transactionBytes: 1_000_000,
  transactionItems: 25,

  busyWriteMilliseconds: 2,
  fullWriteMilliseconds: 5,
  streamEventCharacters: 16 * 1024 * 1024,

  invocationHandOverMilliseconds: 120_000,
  invocationAbandonMilliseconds: 20_000,
  invocationEndMilliseconds: 8_000,

  longestPatienceSeconds: 6 * 60 * 60,
  activeRunsPerAccount: 100,

  keyModels: 100,
  keyRateRequests: 1_000_000,

  upstreamFailuresInARow: 3,
  upstreamLeftOutMilliseconds: 30_000,
  upstreamProbeMilliseconds: 10_000,
  /** The same failure of an upstream is one line of the log in this time. */
  sameFailureMilliseconds: 60_000,
  /** What is read of an upstream's message, and what is shown of it. */
  readRefusalCharacters: 8_000,
  shownRefusalCharacters: 1_000,
  firstByteWithFallbackMilliseconds: 60_000,

  /** For instructions, which have at most 80 KB each. */
  skillCacheBytes: 16_000_000,

  healthReadMilliseconds: 2_000,
  healthKeptMilliseconds: 1_000,

  streamRequestsAtOnce: 16,
  headReadsAtOnce: 2,

  deathsShared: 2,
  suspectRestMilliseconds: 30_000,
  /** After `queuedResendSeconds` a reader has the message of a run without a worker sent again. */
  longestPauseMilliseconds: (callerLimits.queuedResendSeconds - 10) * 1000,
  longestLeaseSeconds: 900,
  waitingRunSeconds: 300,
  clockSkewMilliseconds: 5_000,

  /** What is read of a recording at once to tell its length, and how often. */
  recordingPartBytes: 256 * 1024,
  recordingParts: 4,
  /** The longest tag in front of a recording that is kept while its length is read. */
  recordingTagBytes: 2 * 1024 * 1024,
  /** An hour of the ledger is closed so long after its end: longer than an invocation that writes into it can last. */
  usageGraceMilliseconds: 20 * 60_000,
  /** A report that needs longer is refused; what it has rolled up is kept for the next one. */
  usageMilliseconds: 50_000,
  usageReadsAtOnce: 6,
  rollUpPartBytes: 300_000,
  rollUpKeptSeconds: 7 * 24 * 60 * 60,

  /** Between the message of the queue that points to an end of a run and the first look for it: most ends are written by then. */
  webhookFirstLookSeconds: 1,
  /** The longest delay of a message in SQS. */
  webhookHopSeconds: 900,
  /** A message that nobody could read for so long is given up. SQS forgets its own after two weeks too. */
  webhookMessageKeptSeconds: 14 * 24 * 60 * 60,
  /** What was told once is not told again in this time. */
  webhookToldSeconds: 366 * 24 * 60 * 60,

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

  /** The largest document that is read, wherever it comes from, and what a zip archive in it may unpack to. */
  readDocumentBytes: 64 * 1024 * 1024,
  unpackedDocumentBytes: 256 * 1024 * 1024,
  documentMembers: 20_000,

  simultaneousThreads: 2,
  /** How long a tool's call may wait for threads beside its own time. An invocation of 15 minutes must have room for both. */
  threadWaitMilliseconds: 300_000,
  /** The documents of requests that are held in memory at once: those in threads, and one that is fetched meanwhile. */
  documentsReadAtOnce: 3,
  threadYoungMegabytes: 64,
  pageConversionMegabytes: 192,
  pageOutsideMegabytes: 64,
  documentConversionMegabytes: 512,
  /** How long a called function is waited for. Functions that are called have less time themselves. */
  calledFunctionMilliseconds: 90_000,
  /** How often the converter looks whether its caller has gone. */
  conversionCancelMilliseconds: 2_000,
  calibrationCasesAtOnce: 8,

  passagesMilliseconds: 30_000,
  passagesMegabytes: 192,
  passagesOutsideMegabytes: 64,
} as const;

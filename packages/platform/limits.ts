/** Every limit that a caller can meet (spec: Limits), and the ones that protect the service. Units are in the names. */
export const limits = {
  requestsPerWindow: 600,
  windowSeconds: 900,

  questionCharacters: 200_000,
  metadataEntries: 16,
  metadataKeyCharacters: 64,
  metadataValueCharacters: 512,
  roundsPerRun: 20,
  outputTokensPerCompletion: 4_096,
  runReadableSeconds: 24 * 60 * 60,
  idempotencyKeyCharacters: 255,

  imageBytes: 10_000_000,
  recordingBytes: 250_000_000,
  documentBytes: 50_000_000,
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

  eventInlineBytes: 32 * 1024,
  transactionBytes: 1_000_000,
  transactionItems: 25,

  skillNameCharacters: 64,
  skillDescriptionCharacters: 500,
  skillInstructionsCharacters: 20_000,
  skillVersionsPerPage: 100,

  decisionQuestions: 32,
  decisionQuestionIdCharacters: 128,
  decisionOptions: 255,
  decisionLevels: 10,
  decisionContextTokens: 16_384,
  decisionBodyBytes: 4 * 1024 * 1024,

  jsonBodyBytes: 6 * 1024 * 1024,
  jsonNestingLevels: 1_000,

  answerMilliseconds: 55_000,
  streamFirstByteMilliseconds: 15_000,
  streamWriteMilliseconds: 5,
  streamStallMilliseconds: 60_000,
  keepAliveMilliseconds: 15_000,
  streamMilliseconds: 300_000,

  invocationHandOverMilliseconds: 120_000,
  invocationAbandonMilliseconds: 20_000,
  invocationEndMilliseconds: 5_000,

  keyCacheMilliseconds: 5_000,
  ledgerPageEntries: 100,
  deathsPerRun: 3,
  queuedResendSeconds: 60,
} as const;

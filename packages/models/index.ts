export { askWhole, parseAnswer, type WholeAnswer } from './ask-whole.ts';
export {
  type Capabilities,
  type Catalogue,
  type Model,
  type ModelUpstream,
  modelKinds,
  type Role,
  writesText,
} from './catalogue.ts';
export type { AssistantMessage, Opaque, ToolCall } from './chat-messages.ts';
export { type Completion, completeChat } from './complete-chat.ts';
export { countFileTokens, countInputTokens, tokensOfBase64, tokensPerImage } from './count-chat.ts';
export { countText } from './count-text.ts';
export {
  type DecisionEngine,
  type LabelReader,
  labelReaders,
  mostOffset,
  temperatureBounds,
} from './decision-engines.ts';
export type { UpstreamDeps } from './deps.ts';
export {
  type EmbeddingInput,
  type EmbeddingRequest,
  type Embeddings,
  embed,
  toBase64,
  toNumbers,
} from './embed.ts';
export { boundEmbedding, countEmbedded, embeddingWork } from './embedding-cost.ts';
export { fieldRule, foldName, toolTypes } from './field-rules.ts';
export { compressedSuffix, findMcpServer, findModel, mcpServersOf, roleModel } from './find-model.ts';
export { type CarbonIntensity, createCarbonIntensity } from './impact/carbon-intensity.ts';
export {
  type Impact,
  type ImpactDeps,
  impactSchema,
  impactTotals,
  measureImpact,
} from './impact/measure-impact.ts';
export { namingLimit } from './learned.ts';
export { isListed, listedContext, listModels } from './list-models.ts';
export { loadCatalogue } from './load-catalogue.ts';
export { logFailure } from './log-failure.ts';
export { createMessageEvents, type MessageEvents } from './messages/from-events.ts';
export { fromMessage } from './messages/from-message.ts';
export { addMessageUsage, toChatUsage } from './messages/message-usage.ts';
export { finishReasonOf, stopReasonOf } from './messages/stop-reasons.ts';
export { toMessageBody } from './messages/to-message.ts';
export {
  begunBlocks,
  hiddenTokensIn,
  hiddenTokensOf,
  paidPart,
  withHidden,
  writtenIn,
} from './messages/written.ts';
export { withCallIds, withLessThinking } from './opaque-fields.ts';
export { parseCatalogue } from './parse-catalogue.ts';
export { nextPrice, priceAt } from './prices.ts';
export { readBytes } from './read-bytes.ts';
export type { Hidden } from './refusal/clean-words.ts';
export { brokenByEvent } from './refusal/read-refusal.ts';
export { hostsOf, namesOf, secretsOf, settleRefusal } from './refusal/settle-refusal.ts';
export { type RetryOptions, type Trial, tryUpstreams } from './retry.ts';
export { type OpenRecording, type Recording, SlowRecording } from './speech/protocol.ts';
export { transcribe } from './speech/transcribe.ts';
export type { Transcript } from './speech/transcript.ts';
export { noteThinking, tellHiddenReasoning, thinkingTokens } from './thinking.ts';
export { countTokens, firstTokens } from './tokens.ts';
export { unknownModel } from './unknown-model.ts';
export { requestUpstream, upstreamName } from './upstream.ts';
export { addressOf } from './upstream-address.ts';
export {
  brokenBy,
  failureFields,
  hasStalled,
  isPassing,
  notSetUpMessage,
  refusalReason,
  UpstreamError,
} from './upstream-error.ts';
export { formatUsage, inputOnly, readTokenCount, readUsage, type Usage } from './usage.ts';

export { attachedImageCostId } from './begin.ts';
export {
  readCheckpoint,
  readStored,
  type StoredState,
  storedState,
  writeCheckpoint,
} from './checkpoint.ts';
export { cutText, valueTokens } from './context/size.ts';
export type { AgentInput, Attachment } from './conversation.ts';
export {
  type AgentEvent,
  type AskedCall,
  type BasisField,
  type Citation,
  type ConversationMessage,
  type ExpectedField,
  type Guarded,
  isTerminal,
  isTerminalType,
  type SubRun,
  type TerminalEvent,
  type UsedBySubRun,
} from './data.ts';
export type {
  AgentDeps,
  Approving,
  BroughtTools,
  ReasoningModel,
  SubRunEnd,
  SubRuns,
  ToolNotice,
} from './deps.ts';
export { makeEmbedder } from './embed-texts.ts';
export { type CarriedOver, followRun } from './follow.ts';
export { guardedAtEnd, guardedForNext } from './outside/guarded.ts';
export { markOutside } from './outside/material.ts';
export { type PaidCalls, paidCalls, type Spending } from './paid-calls.ts';
export { claimProver, type Judge } from './proof.ts';
export { fitShown } from './reading/fit-shown.ts';
export { type KeptMaterial, keptNames, renameKept, uploadMaterial } from './reading/kept-material.ts';
export { attachmentRoom } from './reading/reading-room.ts';
export { runAgent } from './run-agent.ts';
export { boundImage, seeImage, type VisionDeps } from './see-image.ts';
export { type AgentState, initialState, isActing, type Progress, type StopReason } from './state.ts';
export { changesBetween, type StateChanges, withStateChanges } from './state-changes.ts';
export { isBrought, mayHaveActed, type Tool, type ToolAnswer, ToolError, type ToolInput } from './tool.ts';
export { callersFunction } from './tools/callers-function.ts';
export { agentTools, allowedTools, listedTools, nameableTools, ownToolNames } from './tools/index.ts';
export { investigate, investigateName } from './tools/investigate.ts';
export { askableFields } from './tools/request-input.ts';
export { readResults } from './tools/web-search.ts';
export { type RecordingSource, type SpeechDeps, transcribeRecording } from './transcribe-recording.ts';
export { unreadOf } from './unread.ts';

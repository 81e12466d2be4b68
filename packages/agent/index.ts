export { type AgentInput, type Attachment, type ImageCost, openingMessages } from './conversation.ts';
export type { AgentDeps, CompletionRequest, ForcedReaders, ReasoningModel } from './deps.ts';
export { type AgentEvent, type ExpectedField, isTerminal, type TerminalEvent } from './events.ts';
export { runAgent } from './run-agent.ts';
export { seeImage, type VisionDeps } from './see-image.ts';
export {
  type AgentState,
  type ConversationMessage,
  type Cost,
  initialState,
  type Progress,
} from './state.ts';
export { type Tool, type ToolAnswer, ToolError } from './tool.ts';
export { agentTools, listedTools, type ToolDeps } from './tools/index.ts';
export { askableFields } from './tools/request-input.ts';
export type { Memory } from './tools/save-data.ts';
export type { FileExport } from './tools/save-file.ts';
export { formatTranscript, type SpeechDeps, transcribeRecording } from './transcribe-recording.ts';

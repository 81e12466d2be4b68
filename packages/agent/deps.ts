import type { Completion } from '@errand/models';
import type { Clock, Log } from '@errand/platform';
import type { ConversationMessage } from './state.ts';
import type { Tool, ToolAnswer, toolDefinition } from './tool.ts';

export interface CompletionRequest {
  messages: ConversationMessage[];
  tools: ReturnType<typeof toolDefinition>[];
  tool_choice: 'auto' | 'none';
  max_tokens: number;
}

/** The reasoning model, as the loop sees it. */
export interface ReasoningModel {
  id: string;
  contextTokens: number;
  /** Throws `UpstreamError` once every retry failed. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
  costNanoEuro(usage: Completion['usage']): number;
}

/** The forced first step, done by the same tools that the model can call. */
export interface ForcedReaders {
  isImage(url: string, signal: AbortSignal): Promise<boolean>;
  see(imageUrl: string, question: string, signal: AbortSignal): Promise<ToolAnswer>;
  transcribe(url: string, signal: AbortSignal): Promise<ToolAnswer>;
}

export interface AgentDeps {
  clock: Clock;
  log: Log;
  reasoning: ReasoningModel;
  tools: readonly Tool[];
  readers: ForcedReaders;
  /** Adds what the request asked to add to the opening (a skill's instructions). */
  shapeOpening(messages: ConversationMessage[]): ConversationMessage[];
}

import { limits } from '@errand/platform';
import { answerWithin } from './call.ts';
import { type AgentInput, openingMessages } from './conversation.ts';
import { type AgentEvent, type ForcedRead, stepDescriptions } from './data.ts';
import type { AgentDeps, ToolNotice } from './deps.ts';
import { isOwnUpload } from './outside/known-secrets.ts';
import { addressOf, keepAttachment, keepForced } from './reading/keep-forced.ts';
import type { AgentState, Progress } from './state.ts';
import { type ToolAnswer, ToolError } from './tool.ts';
import { waitFor } from './wait.ts';

/**
 * Tells what is missing of the tools that were brought. Then decides which files are read before the model sees the question:
 * recordings first, then images.
 */
export async function* begin(
  deps: AgentDeps,
  input: AgentInput,
  state: AgentState,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  const { notices = [] } = deps;
  if (notices.length > 0 && state.step === 0) {
    yield { events: noticeEvents(notices), costs: [], state: { ...state, step: 1 } };
    return;
  }
  const forced = await forcedReads(deps, input, signal);
  const [first] = forced;
  const sources = await keepAttachment(deps, input, state);
  if (!first) {
    yield { events: [], costs: [], state: enterLoop(deps, input, { ...state, forced, sources }) };
    return;
  }
  const step = state.step + 1;
  yield {
    events: [{ type: 'step_start', step, description: stepDescriptions.forced }, callEvent(first, input)],
    costs: [],
    state: { ...state, phase: 'forced', step, stepOpen: true, forced, sources },
  };
}

const noticeEvents = (notices: readonly ToolNotice[]): AgentEvent[] => [
  { type: 'step_start', step: 1, description: stepDescriptions.forced },
  ...notices.flatMap(({ toolName, result }): AgentEvent[] => [
    { type: 'tool_call', toolName, input: {} },
    { type: 'tool_result', toolName, result },
  ]),
  { type: 'step_complete', step: 1 },
];

async function forcedReads(deps: AgentDeps, input: AgentInput, signal: AbortSignal): Promise<ForcedRead[]> {
  const { documentUrl, audioUrl, attachment } = input;
  const reads: ForcedRead[] = [];
  if (attachment?.kind === 'recording') reads.push({ tool: 'audio_transcribe', url: attachment.url });
  if (audioUrl !== undefined) reads.push({ tool: 'audio_transcribe', url: audioUrl });
  if (attachment?.kind === 'image') reads.push({ tool: 'vision', imageUrl: attachment.url });
  if (documentUrl !== undefined && (await deps.readers.isImage(documentUrl, signal)))
    reads.push({ tool: 'vision', imageUrl: documentUrl });
  return reads;
}

/** Reads the file that was announced last, then announces the next one or closes the step. */
export async function* readForced(
  deps: AgentDeps,
  input: AgentInput,
  state: AgentState,
  signal: AbortSignal,
): AsyncGenerator<Progress> {
  const position = state.readings.length;
  const read = state.forced[position]!;
  const { answer, failure } = await answerForced(deps, input, read, signal);
  const pause = waitFor(deps, state, failure);
  if (pause) return yield pause;
  const next = state.forced[position + 1];
  const events: AgentEvent[] = [{ type: 'tool_result', toolName: read.tool, result: answer.text }];
  events.push(next ? callEvent(next, input) : { type: 'step_complete', step: state.step });
  const { sources, text } = await keepForced(deps, input, state, { read, answer }, signal);
  const readings = [...state.readings, text];
  const after: AgentState = {
    ...state,
    sources,
    readings,
    ...(answer.isOutside && { outsideSince: state.outsideSince ?? state.completions }),
  };
  const costs = await deps.calls.toCosts(state, `forced-${position}`, answer.costs ?? []);
  yield {
    events,
    costs,
    state: next ? after : enterLoop(deps, input, { ...after, stepOpen: false }),
  };
}

/** The answer and, if a model's provider failed, its failure. */
async function answerForced(
  deps: AgentDeps,
  input: AgentInput,
  read: ForcedRead,
  signal: AbortSignal,
): Promise<{ answer: ToolAnswer; failure?: unknown }> {
  const { readers, log } = deps;
  const { attachment } = input;
  if (attachment?.kind === 'image' && isOwnUpload(input, addressOf(read)))
    return { answer: { text: attachment.description, costs: [{ kind: 'vision', ...attachment.cost }] } };
  const [milliseconds, work] =
    read.tool === 'audio_transcribe'
      ? [limits.audioToolMilliseconds, (inner: AbortSignal) => readers.transcribe(read.url, inner)]
      : [limits.toolMilliseconds, (inner: AbortSignal) => readers.see(read.imageUrl, input.question, inner)];
  let failure: unknown;
  const answer = await answerWithin(log, read.tool, milliseconds, signal, (inner) =>
    work(inner).catch((error: unknown) => {
      if (error instanceof ToolError && !inner.aborted) failure = error.cause;
      throw error;
    }),
  );
  return { answer, failure };
}

const callEvent = (read: ForcedRead, input: AgentInput): AgentEvent => ({
  type: 'tool_call',
  toolName: read.tool,
  input: read.tool === 'vision' ? { imageUrl: read.imageUrl, question: input.question } : { url: read.url },
});

function enterLoop(deps: AgentDeps, input: AgentInput, state: AgentState): AgentState {
  const { forced, sources } = state;
  const opening = {
    tools: deps.tools.map(({ name }) => name),
    notices: (deps.notices ?? []).map(({ result }) => result),
    readings: state.readings,
    documentSeen: forced.some((read) => addressOf(read) === input.documentUrl),
    attachmentNumber: sources.find(({ filename }) => filename === input.attachment?.filename)?.number,
  };
  const messages = deps.shapeOpening(openingMessages(input, opening, deps.clock()));
  const readings = state.readings.filter((_, i) => isOwnUpload(input, addressOf(forced[i]!)));
  return { ...state, phase: 'loop', messages, readings };
}

import { readPassages } from '@errand/passages';
import { describeError, limits } from '@errand/platform';
import { cutResult } from './answer-call.ts';
import { answerWithin } from './call.ts';
import { density } from './context/size.ts';
import { type AgentInput, openingMessages, readingOf } from './conversation.ts';
import { type AgentEvent, type ForcedRead, type FoundSource, type Source, stepDescriptions } from './data.ts';
import type { AgentDeps, ToolNotice } from './deps.ts';
import { takeUp } from './follow.ts';
import { isOwnUpload } from './outside/known-secrets.ts';
import { markOutside } from './outside/material.ts';
import { materialName, packText, tryToKeep, uploadMaterial } from './reading/kept-material.ts';
import { readingRoom } from './reading/reading-room.ts';
import { numberSources } from './sources/number-sources.ts';
import { type Forced, type Opening, type Progress, type Starting, soFar } from './state.ts';
import { type ToolAnswer, ToolError } from './tool.ts';
import { addressOf } from './unread.ts';
import { waitFor } from './wait.ts';

/**
 * Reports which of the caller's tools are missing. Then decides which files are read before the model sees the
 * question: recordings first, then images.
 */
export async function* begin(
  deps: AgentDeps,
  input: AgentInput,
  state: Starting,
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
    yield { events: [], costs: [], state: enterLoop(deps, input, { ...state, sources }, forced) };
    return;
  }
  const step = state.step + 1;
  yield {
    events: [{ type: 'step_start', step, description: stepDescriptions.forced }, callEvent(first, input)],
    costs: [],
    state: { ...state, phase: 'forced', step, forced, sources },
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

/** The charges of a file that is read before the model sees the question begin with this. */
const forcedRead = (position: number) => `forced-${position}`;

/** The id of an attached image's charge: only the recording of `audioUrl` is read before the image. */
export const attachedImageCostId = ({ audioUrl }: Pick<AgentInput, 'audioUrl'>): string =>
  `${forcedRead(audioUrl === undefined ? 0 : 1)}-0`;

/** Reads the file that was announced last, then announces the next one or closes the step. */
export async function* readForced(
  deps: AgentDeps,
  input: AgentInput,
  state: Forced,
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
  const after: Forced = {
    ...state,
    sources,
    readings: [...state.readings, text],
    outsideSince: answer.isOutside ? (state.outsideSince ?? state.completions) : state.outsideSince,
  };
  const costs = await deps.calls.toCosts(state, forcedRead(position), answer.costs ?? []);
  yield { events, costs, state: next ? after : enterLoop(deps, input, after, after.forced) };
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

/** Next, the model sees the question with everything that was read for it. */
function enterLoop(
  deps: AgentDeps,
  input: AgentInput,
  state: Starting | Forced,
  forced: readonly ForcedRead[],
): Opening {
  const opening = {
    tools: deps.tools.flatMap(({ name, isOff }) => (isOff ? [] : name)),
    notices: (deps.notices ?? []).map(({ result }) => result),
    readings: state.readings,
    documentSeen: forced.some((read) => addressOf(read) === input.documentUrl),
    attachmentNumber: state.sources.find(({ filename }) => filename === input.attachment?.filename)?.number,
  };
  const messages = deps.shapeOpening(openingMessages(input, opening, deps.clock()));
  const readings = state.readings.filter((_, i) => isOwnUpload(input, addressOf(forced[i]!)));
  const begun = { ...soFar(state), readings };
  return state.followed
    ? takeUp((said, result) => cutResult(deps, said, result), input, messages, begun, state.followed)
    : { ...begun, phase: 'open', part: 'loop', rounds: 0, messages };
}

/** The sources of a run that begins. An attached document is the first, and is kept so that it can be read again. */
async function keepAttachment(
  deps: AgentDeps,
  { attachment }: AgentInput,
  { sources }: Starting,
): Promise<Source[]> {
  if (attachment?.kind !== 'document') return sources;
  const { filename, text, material = uploadMaterial, shown } = attachment;
  if (attachment.material === undefined) await deps.material.keep(material, packText(text));
  return numberSources(sources, [{ kind: 'document', filename, material, shown }]).sources;
}

/** Makes a source of what a forced step has read, keeps a transcript, and words what the model is shown of it. */
async function keepForced(
  deps: AgentDeps,
  input: AgentInput,
  { sources: known }: Forced,
  { read, answer }: { read: ForcedRead; answer: ToolAnswer },
  signal: AbortSignal,
): Promise<{ sources: Source[]; text: string }> {
  const what = read.tool === 'vision' ? 'image' : 'recording';
  if (answer.text.startsWith('Error:'))
    return { sources: [...known], text: `The ${what} could not be read. ${answer.text}` };
  const { found, shown } =
    read.tool === 'vision'
      ? { found: { kind: 'image' as const, snippet: answer.text }, shown: answer.text }
      : await keepTranscript(deps, input, { url: read.url, text: answer.text }, signal);
  const { sources, numbers } = numberSources(known, [{ ...nameOf(input, addressOf(read)), ...found }]);
  return { sources, text: readingOf(what, numbers[0], answer.isOutside ? markOutside(shown) : shown) };
}

const nameOf = (input: AgentInput, address: string): Pick<FoundSource, 'url' | 'filename'> =>
  isOwnUpload(input, address) ? { filename: input.attachment?.filename ?? '' } : { url: address };

async function keepTranscript(
  deps: AgentDeps,
  input: AgentInput,
  { url, text }: { url: string; text: string },
  signal: AbortSignal,
) {
  const material = isOwnUpload(input, url) ? uploadMaterial : materialName(url);
  const packed = packText(text);
  const isKept = await tryToKeep(deps, material, packed);
  const found = { kind: 'transcript' as const, ...(isKept && { material }) };
  const room = readingRoom(deps.reasoning.contextTokens);
  if (text.length * density(text) <= room.wholeCharacters) return { found, shown: text };
  const reading = { ...room, wholeCharacters: 0, fallbackQuery: input.question };
  try {
    const { text, shown } = await readPassages({ owner: deps.owner }, packed, reading, signal);
    return { found: { ...found, shown }, shown: text };
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn('transcript not shown in passages', describeError(error));
    return { found, shown: text };
  }
}

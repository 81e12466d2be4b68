import { type AgentInput, type Attachment, readingOf } from './conversation.ts';
import type { ForcedRead } from './data.ts';
import { numberSources } from './sources/number-sources.ts';
import type { AgentState } from './state.ts';

interface Unread extends Pick<AgentInput, 'documentUrl' | 'audioUrl'> {
  recording?: Extract<Attachment, { kind: 'recording' }>;
}

/**
 * What a run was to read first, and had not read when it was stopped: the run that goes on from it reads that. A document at `documentUrl`
 * is among it until the run knows that it is no image. Attached documents and images are read at the creation.
 */
export function unreadOf({ documentUrl, audioUrl, attachment }: AgentInput, state: AgentState): Unread {
  if (state.phase !== 'start' && state.phase !== 'forced') return {};
  const left = state.phase === 'forced' ? state.forced.slice(state.readings.length) : undefined;
  const isLeft = (tool: ForcedRead['tool'], address: string | undefined) =>
    !left || left.some((read) => read.tool === tool && addressOf(read) === address);
  const recording = attachment?.kind === 'recording' ? attachment : undefined;
  return {
    documentUrl: isLeft('vision', documentUrl) ? documentUrl : undefined,
    audioUrl: isLeft('audio_transcribe', audioUrl) ? audioUrl : undefined,
    recording: isLeft('audio_transcribe', recording?.url) ? recording : undefined,
  };
}

export const addressOf = (read: ForcedRead): string => (read.tool === 'vision' ? read.imageUrl : read.url);

/** The files of a run that goes on from another. */
export type Coming = Pick<AgentInput, 'documentUrl' | 'audioUrl' | 'attachment'>;

/**
 * The input of a run as the one that goes on from it tells its model: without what the new run reads, which is named there. An address in
 * whose place another has come stays, for the model's own calls.
 */
export function toldOf(input: AgentInput, state: AgentState, coming: Coming): AgentInput {
  const unread = unreadOf(input, state);
  const toldOnce = (field: 'documentUrl' | 'audioUrl') =>
    unread[field] !== undefined && unread[field] === coming[field] ? undefined : input[field];
  return {
    ...input,
    documentUrl: toldOnce('documentUrl'),
    audioUrl: toldOnce('audioUrl'),
    attachment: unread.recording ? undefined : input.attachment,
  };
}

/** A run that was stopped before it began has not made a source of its document or its image. */
export function withAttachment<State extends AgentState>({ attachment }: AgentInput, state: State): State {
  if (attachment?.kind === 'image') return withImage(attachment, state);
  if (state.phase !== 'start' || attachment?.kind !== 'document') return state;
  const { filename, material, shown } = attachment;
  return { ...state, ...numberSources(state.sources, [{ kind: 'document', filename, material, shown }]) };
}

/** What was seen in the image at the creation is paid for. */
function withImage<State extends AgentState>(
  { filename, description }: { filename: string; description: string },
  state: State,
): State {
  const isBegun = state.phase !== 'start' && state.phase !== 'forced';
  if (isBegun || state.sources.some((source) => source.filename === filename)) return state;
  const { sources, numbers } = numberSources(state.sources, [
    { kind: 'image', filename, snippet: description },
  ]);
  return {
    ...state,
    sources,
    readings: [...state.readings, readingOf('image', numbers[0], description)],
  };
}

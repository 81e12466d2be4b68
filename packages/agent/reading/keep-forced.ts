import { readPassages } from '@errand/passages';
import { describeError } from '@errand/platform';
import { density } from '../context/size.ts';
import type { AgentInput } from '../conversation.ts';
import type { ForcedRead, FoundSource, Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import { isOwnUpload } from '../outside/known-secrets.ts';
import { markOutside } from '../outside/material.ts';
import { numberSources } from '../sources/number-sources.ts';
import type { AgentState } from '../state.ts';
import type { ToolAnswer } from '../tool.ts';
import { materialName, packText, tryToKeep, uploadMaterial } from './kept-material.ts';
import { readingRoom } from './reading-room.ts';

export const addressOf = (read: ForcedRead): string => (read.tool === 'vision' ? read.imageUrl : read.url);

/** The sources of a run that begins. An attached document is the first, and is kept so that it can be read again. */
export async function keepAttachment(
  deps: AgentDeps,
  { attachment }: AgentInput,
  { sources }: AgentState,
): Promise<Source[]> {
  if (attachment?.kind !== 'document') return sources;
  const { filename, text, material = uploadMaterial } = attachment;
  if (attachment.material === undefined) await deps.material.keep(material, packText(text));
  return numberSources(sources, [{ kind: 'document', filename, material }]).sources;
}

/** Makes a source of what a forced step has read, keeps a transcript, and words what the model is shown of it. */
export async function keepForced(
  deps: AgentDeps,
  input: AgentInput,
  { sources: known }: AgentState,
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
  const heading =
    read.tool === 'vision' ? 'What the vision model sees in the image' : 'Transcript of the recording';
  const text = answer.isOutside ? markOutside(shown) : shown;
  return { sources, text: `${heading}, source [${numbers[0]}]:\n\n${text}` };
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
    const { text: shown } = await readPassages({ owner: deps.owner }, packed, reading, signal);
    return { found, shown };
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn('transcript not shown in passages', describeError(error));
    return { found, shown: text };
  }
}

import { type PackedPassages, type Reading, readPassages, type Shown } from '@errand/passages';
import { describeError, type Log } from '@errand/platform';
import type { ToolAnswer } from '../tool.ts';
import { fitShown } from './fit-shown.ts';
import { packText } from './kept-material.ts';
import type { OpenSource } from './read-source.ts';

interface Deps {
  log: Log;
  transcribe: (url: string, signal: AbortSignal) => Promise<ToolAnswer>;
  /** The account whose threads share with those of others. */
  owner: string | undefined;
}

/** Has a recording transcribed, and shows what fits of the transcript. */
export const openRecording =
  (deps: Deps): OpenSource =>
  async (address, reading, signal) => {
    const { text, costs, isOutside = false } = await deps.transcribe(address, signal);
    const packed = packText(text);
    const shown = await show(deps, { text, packed }, reading, signal);
    return { kind: 'transcript', packed, shown, isOutside, costs };
  };

/** The transcript is paid for. If no thread can choose passages, the transcript's beginning is shown. */
async function show(
  deps: Deps,
  { text, packed }: { text: string; packed: PackedPassages },
  reading: Reading,
  signal: AbortSignal,
): Promise<Shown> {
  try {
    const shown = await readPassages(deps, packed, reading, signal);
    return await fitShown(deps, { packed, shown }, reading, signal);
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn('transcript not shown in passages', describeError(error));
    const beginning = text.slice(0, reading.shownCharacters);
    const rest =
      beginning.length < text.length
        ? `\n[${text.length - beginning.length} characters follow. Ask again with \`query\` or \`from\` to read them.]`
        : '';
    return { text: beginning + rest, isWhole: false, shown: [1], passages: 0, characters: text.length };
  }
}

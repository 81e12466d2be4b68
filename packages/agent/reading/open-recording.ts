import { readPassages } from '@errand/passages';
import type { ToolAnswer } from '../tool.ts';
import { packText } from './kept-material.ts';
import type { OpenSource } from './read-source.ts';

type Transcribe = (url: string, signal: AbortSignal) => Promise<ToolAnswer>;

/** Has a recording transcribed, and shows what fits of the transcript. */
export const openRecording =
  (transcribe: Transcribe, owner: string | undefined): OpenSource =>
  async (address, reading, signal) => {
    const { text, costs, isOutside = false } = await transcribe(address, signal);
    const packed = packText(text);
    const shown = await readPassages({ owner }, packed, reading, signal);
    return { kind: 'transcript', packed, shown, isOutside, ...(costs && { costs }) };
  };

import type { SpokenLine } from '../models/speech.ts';
import { seeded } from '../random.ts';
import { fillerSentence } from './prose.ts';

const secondsPerLine = 5;

/** A meeting of several hours, at the end of which the sentence is said. */
export function meeting(title: string, lines: number, sentence: string): SpokenLine[] {
  const random = seeded(`meeting ${title}`);
  const said = Array.from({ length: lines }, (_, i) => ({
    seconds: i * secondsPerLine,
    speaker: random.pick(['A', 'B', 'C']),
    text: fillerSentence(random),
  }));
  return [...said, { seconds: lines * secondsPerLine, speaker: 'A', text: sentence }];
}

const two = (number: number): string => String(number).padStart(2, '0');

const clock = (seconds: number): string =>
  `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

/** As a transcript is kept in a file. */
export const transcriptText = (lines: readonly SpokenLine[]): string =>
  lines.map(({ seconds, speaker, text }) => `[${clock(seconds)}] Speaker ${speaker}: ${text}`).join('\n');

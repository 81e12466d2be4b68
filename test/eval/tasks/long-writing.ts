import { listQuestion, writeList } from '../policy/long-text.ts';
import type { Kit, Outcome, Task } from './task.ts';

const answers = [
  ['squares', 700],
  ['cubes', 900],
  ['doubles', 1_100],
  ['squares', 1_400],
  ['doubles', 1_700],
] as const;

const files = [
  ['squares', 800, 'squares.csv'],
  ['cubes', 1_000, 'cubes.txt'],
  ['doubles', 1_600, 'doubles.md'],
  ['squares', 3_000, 'many-squares.txt'],
] as const;

const bare = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Answers that need more than the 4,096 tokens of one completion. */
export const longAnswers = (): Kit => ({
  tasks: answers.map(([what, last]): Task => {
    const isWhole = ({ answer }: Outcome) => bare(answer).includes(bare(writeList(what, last)));
    return {
      id: `long-answer-${what}-${last}`,
      kind: 'long-answer',
      question: listQuestion(what, last),
      passages: [],
      isRight: isWhole,
      isWhole,
    };
  }),
});

/** Files that need more than the 4,096 tokens of one completion. */
export const longFiles = (): Kit => ({
  tasks: files.map(([what, last, filename]): Task => {
    const isWhole = (outcome: Outcome) =>
      bare(outcome.files.get(filename) ?? '') === bare(writeList(what, last));
    return {
      id: `long-file-${filename}`,
      kind: 'long-file',
      question: listQuestion(what, last, filename),
      passages: [],
      isRight: isWhole,
      isWhole,
    };
  }),
});

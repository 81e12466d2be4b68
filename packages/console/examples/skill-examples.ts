import type { NamedDraft } from '../named/kind.ts';

export const skillExamples: readonly NamedDraft[] = [
  {
    name: 'plain-words',
    description: 'Write in plain words',
    instructions:
      'Write short sentences. Use everyday words, and explain a technical term where it first appears.',
  },
  {
    name: 'meeting-notes',
    description: 'Turn notes into decisions and tasks',
    instructions:
      'Answer with three lists: what was decided, who does what by when, and what is still open. Add nothing that is not in the notes.',
  },
  {
    name: 'careful-numbers',
    description: 'Show how each number was worked out',
    instructions:
      'Give every number with its unit and its source. Show a calculation in one line. Say so where a number is an estimate.',
  },
];

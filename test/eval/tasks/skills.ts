import { companyFacts, type Fact } from '../world/facts.ts';
import type { World } from '../world/world.ts';
import { contains, type Kit, type Outcome, type Task } from './task.ts';

interface Rule {
  name: string;
  instructions: string;
  isFollowed(outcome: Outcome): boolean;
}

const rules: readonly Rule[] = [
  {
    name: 'opening-line',
    instructions: 'Begin every answer with the line "From the reading room."',
    isFollowed: ({ answer }) => answer.startsWith('From the reading room.'),
  },
  {
    name: 'closing-line',
    instructions: 'End every answer with the line "Checked by the harbour office."',
    isFollowed: ({ answer }) => answer.trimEnd().endsWith('Checked by the harbour office.'),
  },
  {
    name: 'capitals',
    instructions: 'Write every answer in capital letters.',
    isFollowed: ({ answer }) =>
      answer.replace(/\n\nSources:[\s\S]*/i, '') === answer.replace(/\n\nSources:[\s\S]*/i, '').toUpperCase(),
  },
  {
    name: 'kept-answer',
    instructions: 'Save every answer as the file "answer.md".',
    isFollowed: ({ files, answer }) => files.has('answer.md') && answer.includes('answer.md'),
  },
  {
    name: 'letter',
    instructions:
      'Begin every answer with the line "Dear reader," and keep to the facts. End every answer with the line "Yours, the archive."',
    isFollowed: ({ answer }) =>
      answer.startsWith('Dear reader,') && answer.trimEnd().endsWith('Yours, the archive.'),
  },
];

/** A question as any other, with a skill that says how to answer. */
export const skills = ({ companies }: World): Kit => ({
  tasks: rules.map(({ name, instructions, isFollowed }, i): Task => {
    const [, , { question, sentence, value }] = companyFacts(companies[19 + i]!) as [Fact, Fact, Fact];
    return {
      id: `skill-${name}`,
      kind: 'skill',
      question,
      skill: { name: `evaluation-${name}`, instructions },
      passages: [sentence],
      isRight: (outcome) => contains(value)(outcome) && isFollowed(outcome),
    };
  }),
});

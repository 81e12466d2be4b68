import type { DraftQuestion } from '../pages/decide/questions.ts';

interface DecideExample {
  name: string;
  state: string;
  question: Partial<DraftQuestion>;
}

/** One for each kind of answer. */
export const decideExamples: readonly DecideExample[] = [
  {
    name: 'Is this message urgent?',
    state: 'Our cold store has failed, and 400 kg of fish will spoil by this evening. Please call back.',
    question: { id: 'urgent', type: 'noul', instructions: 'Does this need an answer today?' },
  },
  {
    name: 'Which team should answer?',
    state: 'I was charged twice for my order of 3 May. I want one of the payments back.',
    question: {
      id: 'team',
      type: 'choice',
      instructions: 'Which team should answer?',
      criteria: [
        { name: 'billing', text: 'payments, invoices and refunds' },
        { name: 'delivery', text: 'late, lost and damaged parcels' },
        { name: 'other', text: '' },
      ],
    },
  },
  {
    name: 'How content is this guest?',
    state: 'The room was clean and the breakfast good, but the music from the bar kept us awake until two.',
    question: {
      id: 'content',
      type: 'score',
      instructions: 'How content is the guest?',
      criteria: ['will not come back', 'has mixed feelings', 'is glad to come back'].map((text) => ({
        name: '',
        text,
      })),
    },
  },
];

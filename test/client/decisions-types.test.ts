import type { components, Decision, Errand, Questions } from '@errand/client';
import { expectTypeOf, test } from 'vitest';

type Schemas = components['schemas'];
declare const errand: Errand;

const ask = () =>
  errand.decide({
    model: 'judge',
    state: 'The crew is late.',
    questions: {
      late: { type: 'noul' },
      team: { type: 'choice', criteria: { billing: 'Invoices', technical: null } },
      urgency: { type: 'score', criteria: ['can wait', 'today'] },
    },
  });

test('the answers of a decision have the types of their questions', () => {
  type Answers = Awaited<ReturnType<typeof ask>>['answers'];
  expectTypeOf<keyof Answers>().toEqualTypeOf<'late' | 'team' | 'urgency'>();
  expectTypeOf<Answers['late']>().toEqualTypeOf<Schemas['NoulAnswer']>();
  expectTypeOf<Answers['team']['choice']>().toEqualTypeOf<'billing' | 'technical'>();
  expectTypeOf<Answers['team']['probabilities']>().toEqualTypeOf<Record<'billing' | 'technical', number>>();
  expectTypeOf<Answers['urgency']>().toEqualTypeOf<Schemas['ScoreAnswer']>();
});

test('questions that are known only when the program runs have answers of any kind', () => {
  type Answer = Decision<Questions>['answers'][string];
  expectTypeOf<Answer['type']>().toEqualTypeOf<'noul' | 'choice' | 'score'>();
});

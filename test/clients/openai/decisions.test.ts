import type OpenAI from 'openai';
import { DecisionsToolRunner } from 'openai/helpers/decisions-tool-runner';
import { expect } from 'vitest';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { decides } from '../support/speak.ts';
import { connect } from './connect.ts';

/** Whether the service answers `POST /v1/decisions`. */
const hasDecisions = true;

type Ask = Omit<OpenAI.DecisionCreateParams, 'model'>;

const openai = ({ url, key }: Errand) => connect(url, key).withOptions({ maxRetries: 0 });

function ask(errand: Errand, body: Ask) {
  errand.upstream.script(decides);
  return openai(errand).decisions.create({ model: 'judge', ...body });
}

const isLate = { type: 'predicate' as const, name: 'late', instructions: 'The parcel is late.' };

client('openai', 'decisions', ({ works, fails }) => {
  const predicate = async (errand: Errand) => {
    const { answers, model, usage } = await ask(errand, {
      input: 'Where is my parcel?',
      questions: [isLate],
    });
    expect(model).toBe('judge');
    expect(answers).toEqual([{ type: 'predicate', name: 'late', probability: 0.75 }]);
    expect(usage).toEqual({
      input_tokens: 7,
      input_tokens_details: { cache_write_tokens: 0, cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 7,
    });
  };
  if (!hasDecisions) {
    const why = { because: '`POST /v1/decisions` is not served', error: { status: 404 } };
    fails('`decisions.create`', why, predicate);
    return;
  }
  works('`decisions.create`: a predicate, with usage', predicate);

  works('a choice whose values are texts and booleans', async (errand) => {
    const choices = [{ value: true, description: 'It is.' }, { value: 'true' }, { value: false }];
    const question = { type: 'choice' as const, name: 'kind', instructions: 'Which?', choices };
    const [answer] = (await ask(errand, { input: 'x', questions: [question] })).answers;
    if (answer?.type !== 'choice') throw new Error(`not a choice: ${JSON.stringify(answer)}`);
    expect([answer.name, answer.choice]).toEqual(['kind', true]);
    expect(answer.probabilities).toEqual([
      { value: true, probability: 0.5 },
      { value: 'true', probability: 0.25 },
      { value: false, probability: 0.25 },
    ]);
    expect(answer.confidence).toBeGreaterThan(0);
  });

  works('a score, with the labels of its levels', async (errand) => {
    const levels = [{ label: 'low' }, { label: 'middle', description: 'This week.' }, { label: 'high' }];
    const question = { type: 'score' as const, name: 'urgency', instructions: 'How urgent?', levels };
    const [answer] = (await ask(errand, { input: 'x', questions: [question] })).answers;
    if (answer?.type !== 'score') throw new Error(`not a score: ${JSON.stringify(answer)}`);
    expect(answer.probabilities.map(({ label, probability }) => [label, probability])).toEqual([
      ['low', 0.5],
      ['middle', 0.25],
      ['high', 0.25],
    ]);
    const expected = answer.probabilities.reduce(
      (sum, { value, probability }) => sum + value * probability,
      0,
    );
    expect(answer.score).toBeCloseTo(expected, 9);
  });

  works('questions without names', async (errand) => {
    const { name: _, ...unnamed } = isLate;
    const { answers } = await ask(errand, { input: 'x', questions: [unnamed, isLate, unnamed] });
    expect(answers.map(({ name }) => name)).toEqual([null, 'late', null]);
  });

  works('messages and tool calls as input', async (errand) => {
    const input: Ask['input'] = [
      { role: 'developer', content: 'Parcels are late after a week.' },
      { role: 'user', content: [{ type: 'input_text', text: 'I ordered ten days ago.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'track', arguments: '{"parcel":7}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'lost in Köln' },
      { role: 'assistant', content: 'I am looking.' },
    ];
    const { answers } = await ask(errand, { input, questions: [isLate] });
    expect(answers).toEqual([{ type: 'predicate', name: 'late', probability: 0.75 }]);
    const sent = errand.upstream.requests[0]?.text;
    for (const text of ['after a week', 'ten days ago', 'track', 'lost in Köln', 'I am looking'])
      expect(sent).toContain(text);
  });

  works('40 questions, answered in their order', async (errand) => {
    const questions = Array.from({ length: 40 }, (_, i) => ({
      type: 'choice' as const,
      instructions: `Which one of ${i}?`,
      choices: [{ value: `first of ${i}` }, { value: `second of ${i}` }],
    }));
    const { answers } = await ask(errand, { input: 'x', questions });
    expect(answers).toEqual(
      questions.map(({ choices }) => expect.objectContaining({ name: null, choice: choices[0]?.value })),
    );
  });

  works('`DecisionsToolRunner` picks an action and carries it out', async (errand) => {
    errand.upstream.script(decides);
    let isOpen = false;
    const execute = () => {
      isOpen = true;
    };
    const open = { id: 'open', description: 'Open the door.', execute };
    const leave = { id: 'leave', description: 'Nothing is left to do.', done: true as const };
    const runner = new DecisionsToolRunner({
      observe: () => (isOpen ? 'The door is open.' : 'The door is shut.'),
      candidates: () => (isOpen ? [leave] : [open, leave]),
      verify: () => isOpen,
    });
    const result = await runner.run(openai(errand), { model: 'judge', input: 'Open the door.' });
    expect(result).toMatchObject({ status: 'verified', completedCandidateIds: ['open'] });
  });

  works('errors: 400 for a model that decides nothing, 401 for a wrong key', async (errand) => {
    const body = { input: 'x', questions: [isLate] };
    const refused = openai(errand).decisions.create({ ...body, model: 'writer' });
    await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
    const stranger = openai(errand)
      .withOptions({ apiKey: 'wrong' })
      .decisions.create({ ...body, model: 'judge' });
    await expect(stranger).rejects.toMatchObject({ status: 401 });
  });
});

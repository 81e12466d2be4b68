import { describe, expect, test } from 'vitest';
import type { Message, PolicyRequest } from './conversation.ts';
import { act } from './policy.ts';

const prompt =
  'Use a tool whenever it helps. Several calls may go out at once. Sources have numbers, such as [3]: cite them. What you could not find, say.';
const search = {
  name: 'web_search',
  description: 'Searches the web.',
  parameters: { properties: { query: {} } },
};
const question = 'Wie groß ist die Belegschaft von Tarvel Works?';

const next = (system: string, tools: object[], more: Message[] = [], seed = 'calm') => {
  const messages = [{ role: 'system', content: system }, { role: 'user', content: question }, ...more];
  const request = { model: 'm', messages, tools: tools.map((one) => ({ function: one })) } as PolicyRequest;
  return act(request, seed);
};

/** A seed by which the policy makes none of its mistakes here. */
const calm = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].find((seed) => {
  const plan = next(prompt, [search], [], seed);
  return 'calls' in plan && plan.note === '' && JSON.stringify(plan.calls).includes('Tarvel Works');
})!;

const read: Message[] = [
  {
    role: 'assistant',
    tool_calls: [{ id: '1', function: { name: 'web_crawl', arguments: '{"url":"http://s.test/a"}' } }],
  },
  {
    role: 'tool',
    tool_call_id: '1',
    content: '[4] Tarvel Works\nhttp://s.test/a\n\nTarvel Works employs 4,512 people.',
  },
];

describe('the policy', () => {
  test('searches with a tool whose description says that it searches, in the form of its schema', () => {
    const several = { ...search, parameters: { properties: { queries: { type: 'array' } } } };
    expect(next(prompt, [search], [], calm)).toMatchObject({
      calls: [{ name: 'web_search', args: { query: 'Tarvel Works Belegschaft' } }],
    });
    expect(next(prompt, [several], [], calm)).toMatchObject({
      calls: [{ args: { queries: { length: 3 } } }],
    });
  });

  test.each([
    ['a prompt that is gone', '', [search]],
    ['a prompt that forbids it', 'Never use a tool. Never cite. Guess.', [search]],
    ['a description that is wrong', prompt, [{ ...search, description: 'Broken.' }]],
    ['a tool that is missing', prompt, []],
  ])('does not search with %s', (_, system, tools) => {
    expect(next(system, tools, [], calm)).toHaveProperty('answer');
  });

  test('answers from what it was shown, with the number that it was shown with', () => {
    expect(next(prompt, [], read, calm)).toMatchObject({ answer: expect.stringContaining('4,512 [4]') });
    expect(next('Use tools.', [], read, calm)).toMatchObject({ answer: expect.not.stringContaining('[4]') });
    expect(next(`${prompt} Answer in the language of the question.`, [], read, calm)).toMatchObject({
      answer: expect.stringContaining('die Zahl der Beschäftigten'),
    });
  });

  test('guesses where it was not told to say what is missing', () => {
    expect(next(prompt, [], [], calm)).toMatchObject({ answer: expect.stringContaining('not found') });
    expect(next('Be brief.', [], [], calm)).toMatchObject({ answer: expect.stringContaining('1,000') });
  });
});

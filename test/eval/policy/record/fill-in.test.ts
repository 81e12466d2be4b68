import { describe, expect, test } from 'vitest';
import type { Message, PolicyRequest } from '../conversation.ts';
import { act } from '../policy.ts';

const value = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the company' },
    people: { type: ['integer', 'null'], description: 'Number of people that it employs' },
    ships: { type: ['integer', 'null'], description: 'Number of ships that it owns' },
  },
  required: ['name', 'people', 'ships'],
};
const form = { type: 'object', properties: { value, sources: { type: 'array' } } };
const prompt = `Use a tool whenever it helps. Sources have numbers, such as [3]. What you could not find is null.\n${JSON.stringify(form)}`;
const tools = [
  {
    function: {
      name: 'web_search',
      description: 'Searches the web.',
      parameters: { properties: { query: {} } },
    },
  },
  {
    function: {
      name: 'confirm_answer',
      description: 'Confirms.',
      parameters: { properties: { answer: {} } },
    },
  },
];

const page = (url: string, content: string): Message[] => [
  {
    role: 'assistant',
    tool_calls: [{ id: url, function: { name: 'web_crawl', arguments: JSON.stringify({ url }) } }],
  },
  { role: 'tool', tool_call_id: url, content },
];
const read = [
  ...page('http://s.test/a', '[4] Tarvel Works\nhttp://s.test/a\n\nTarvel Works employs 4,512 people.'),
  ...page('http://s.test/b', '[5] Tarvel Society\nhttp://s.test/b\n\nTarvel Society owns 14 ships.'),
];
const ask: Message = { role: 'user', content: 'Write the result now: one JSON object.' };
const findings: Message = { role: 'assistant', content: 'It was found.' };

const next = (seed: string, more: Message[], given: Partial<PolicyRequest> = {}, system = prompt) => {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: 'Fill in the record of Tarvel Works.' },
    ...more,
  ];
  return act({ model: 'm', messages, tools, ...given } as PolicyRequest, seed);
};
const written = (seed: string, more: Message[] = [], system = prompt) => {
  const plan = next(seed, [...read, findings, ask, ...more], { tool_choice: 'none' }, system);
  return 'answer' in plan ? JSON.parse(/\{.*\}/s.exec(plan.answer)![0]) : undefined;
};

const seeds = Array.from({ length: 60 }, (_, i) => `seed ${i}`);
const right = { name: 'Tarvel Works', people: 4512, ships: null };
const hasGuess = ({ value: made }: { value: unknown }) =>
  JSON.stringify(made) === JSON.stringify({ ...right, ships: 14 });

describe('the policy, asked for a value', () => {
  test('looks for what its fields ask for', () => {
    const plans = seeds.map((seed) => next(seed, []));
    expect(plans.every((plan) => 'calls' in plan)).toBe(true);
    expect(JSON.stringify(plans)).toContain('Tarvel Works employs');
  });

  test('writes what it has found, with the numbers of its sources', () => {
    const made = seeds.map((seed) => written(seed));
    const sources = ['/name', '/people'].map((pointer) => ({ pointer, numbers: [4] }));
    expect(made).toContainEqual({ value: right, sources });
  });

  test('takes what is said of a name that is near, more often where it was not told to leave gaps', () => {
    const share = (system: string) =>
      seeds.filter((seed) => /"ships":"?(?:about )?14/.test(JSON.stringify(written(seed, [], system))))
        .length / seeds.length;
    expect(share(prompt)).toBeGreaterThan(0.3);
    expect(share(prompt)).toBeLessThan(0.7);
    expect(share(prompt.replace('What you could not find is null.', ''))).toBe(1);
  });

  test('mends a wrong form once it is told what is wrong, and not before', () => {
    const isWrong = (made: { value: object }) => Object.keys(made.value).length !== 3;
    const wrong = seeds.filter((seed) => isWrong(written(seed)));
    const again = (content: string): Message[] => [
      findings,
      { role: 'user', content },
      findings,
      { role: 'user', content },
    ];
    const told = (content: string) => wrong.filter((seed) => isWrong(written(seed, again(content))));
    expect(wrong.length).toBeGreaterThan(3);
    expect(told('The result does not fit its schema:\n- /note: It is not named. JSON!')).toEqual([]);
    expect(told('The result does not fit its schema. JSON!')).toEqual(wrong);
  });

  test('gives up a guess that the check names, and else holds on to it', () => {
    const guessing = seeds.filter((seed) => hasGuess(written(seed)));
    const checked = (content: string) =>
      guessing.map((one) => next(one, [...read, findings, ask, findings, { role: 'user', content }]));
    const question = 'Is it complete? If so, call confirm_answer.';
    expect(guessing.length).toBeGreaterThan(3);
    expect(JSON.stringify(checked(question))).not.toContain('\\"ships\\":null');
    expect(JSON.stringify(checked(`${question}\n- Field /ships: ships: 14`))).toContain('\\"ships\\":null');
  });
});

import { describe, expect, test } from 'vitest';
import type { Message, PolicyRequest } from './conversation.ts';
import { act } from './policy.ts';

const prompt =
  'Use a tool. Several independent calls, at most 16, may go out at once. That is a round, and there are 4. Sources have numbers, such as [3]: cite them. ' +
  'What you could not find, say. Parts are worked on by several at once.';
const search = {
  name: 'web_search',
  description: 'Searches the web.',
  parameters: { properties: { query: {} } },
};
const investigate = {
  name: 'investigate',
  description: 'Has each question worked on by a researcher.',
  parameters: { properties: { questions: { type: 'array', maxItems: 3 } } },
};
const names = ['Tarvel', 'Belmere', 'Ordow', 'Hallis', 'Vespell'];
const parts = names.map((name) => `How big is the workforce of ${name} Works?`);
const question = `Answer each of these: ${parts.map((part, i) => `(${i + 1}) ${part}`).join(' ')}`;
const told = (...them: string[]) => them.map((one) => `Report on this: ${one}`);

const next = (tools: object[], more: Message[] = [], system = prompt) => {
  const messages = [{ role: 'system', content: system }, { role: 'user', content: question }, ...more];
  // The policy makes none of its mistakes here.
  return act({ model: 'm', messages, tools: tools.map((one) => ({ function: one })) } as PolicyRequest, '2');
};

const asked = (id: string, questions: string[], content: string): Message[] => [
  {
    role: 'assistant',
    tool_calls: [{ id, function: { name: 'investigate', arguments: JSON.stringify({ questions }) } }],
  },
  { role: 'tool', tool_call_id: id, content: `<outside_material>\n${content}\n</outside_material>` },
];
const reports = (...them: [string, string][]) =>
  them.map(([on, said], i) => `Report ${i + 1} on: Report on this: ${on}\n\n${said}`).join('\n\n---\n\n');
const found = (i: number) => `For ${names[i]} Works, the number of employees is 4,51${i} [${i + 3}].`;
const nothing = 'The answer was not found in anything that was read.';

describe('a question of several', () => {
  test('is given to others, as many as the tool takes, then the rest', () => {
    const first = { name: 'investigate', args: { questions: told(...parts.slice(0, 3)) } };
    expect(next([search, investigate])).toMatchObject({ calls: [first] });
    const answered = asked(
      '1',
      first.args.questions,
      reports(...parts.slice(0, 3).map((one, i) => [one, found(i)] as [string, string])),
    );
    expect(next([search, investigate], answered)).toMatchObject({
      calls: [{ name: 'investigate', args: { questions: told(...parts.slice(3)) } }],
    });
  });

  test('is worked on by itself where nothing says that others may, in as many calls as the rounds need', () => {
    const single = {
      calls: parts.map((_, i) => ({ name: 'web_search', args: { query: `${names[i]} Works workforce` } })),
    };
    expect(next([search])).toMatchObject(single);
    expect(next([search, investigate], [], prompt.split(' Parts')[0])).toMatchObject(single);
    expect(next([search], [], prompt.replace('there are 4', 'there are 20'))).toMatchObject({
      calls: single.calls.slice(0, 3),
    });
  });

  test('is answered from reports with their sources, and what they leave open is looked for', () => {
    const made = [
      ...asked(
        '1',
        told(...parts.slice(0, 3)),
        reports([parts[0]!, found(0)], [parts[1]!, nothing], [parts[2]!, 'Error: too slow']),
      ),
      ...asked('2', told(...parts.slice(3)), reports([parts[3]!, found(3)], [parts[4]!, found(4)])),
    ];
    expect(next([search, investigate], made)).toMatchObject({
      calls: [1, 2].map((i) => ({ args: { query: `${names[i]} Works workforce` } })),
    });
    expect(next([], made)).toEqual({ answer: [found(0), nothing, nothing, found(3), found(4)].join(' ') });
  });
});

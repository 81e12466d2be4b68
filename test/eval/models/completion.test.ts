import { expect, test } from 'vitest';
import { lastLine, listQuestion, writeList } from '../policy/long-text.ts';
import { completePolicy } from './completion.ts';
import { countTokens } from './tokens.ts';

interface Made {
  choices: [
    {
      finish_reason: string;
      message: { content: string | null; tool_calls?: { function: { name: string; arguments: string } }[] };
    },
  ];
  usage: { prompt_tokens: number; completion_tokens: number };
}

const descriptions: Record<string, string> = {
  save_file: 'Saves a text file.',
  confirm_answer: 'Confirms the answer.',
};

const tool = (name: string, ...parameters: string[]) => ({
  function: {
    name,
    description: descriptions[name],
    parameters: { properties: Object.fromEntries(parameters.map((one) => [one, {}])) },
  },
});
const make = (request: object): Made =>
  completePolicy({ model: 'm', messages: [], ...request }, 1) as unknown as Made;

test('an answer stops at the greatest length, and goes on with exactly what is missing', () => {
  const messages: object[] = [{ role: 'user', content: listQuestion('squares', 120) }];
  let written = '';
  for (let part = 0; part < 20; part++) {
    const { choices, usage } = make({ messages, max_tokens: 200 });
    written += choices[0].message.content;
    expect(usage.completion_tokens).toBeLessThanOrEqual(200);
    if (choices[0].finish_reason === 'stop') break;
    messages.push({ role: 'assistant', content: choices[0].message.content });
    messages.push({ role: 'user', content: 'You were cut off: continue.' });
  }
  expect(written).toBe(writeList('squares', 120));
  expect(written.endsWith(lastLine)).toBe(true);
});

test('a call is cut too, and is made in parts once it failed, if parts can be appended', () => {
  const question = { role: 'user', content: listQuestion('squares', 2_000, 'squares.csv') };
  const tools = [tool('save_file', 'filename', 'content', 'append')];
  const { choices } = make({ messages: [question], tools, max_tokens: 100 });
  expect(choices[0].finish_reason).toBe('length');
  expect(() => JSON.parse(choices[0].message.tool_calls![0]!.function.arguments)).toThrow();
  const tool_calls = [{ id: '1', function: { name: 'save_file', arguments: '{}' } }];
  const failed = [
    question,
    { role: 'assistant', tool_calls },
    { role: 'tool', tool_call_id: '1', content: 'Error: cut.' },
  ];
  const part = make({ messages: failed, tools, max_tokens: 4_096 });
  expect(part.choices[0].finish_reason).toBe('tool_calls');
  const { content } = JSON.parse(part.choices[0].message.tool_calls![0]!.function.arguments) as {
    content: string;
  };
  expect(writeList('squares', 2_000).startsWith(content)).toBe(true);
});

test('the check is confirmed where that is offered, and answered with the whole answer elsewhere', () => {
  const messages = [
    { role: 'user', content: listQuestion('squares', 3) },
    { role: 'assistant', content: writeList('squares', 3) },
    { role: 'user', content: 'Is the answer complete?' },
  ];
  expect(
    make({ messages, tools: [tool('confirm_answer')] }).choices[0].message.tool_calls?.[0]?.function.name,
  ).toBe('confirm_answer');
  expect(make({ messages }).choices[0].message.content).toBe(writeList('squares', 3));
});

test('usage counts every message and the definitions of tools', () => {
  const messages = [{ role: 'user', content: 'How many ships does Tarvel own?' }];
  const tools = [tool('web_search', 'query')];
  const without = make({ messages }).usage.prompt_tokens;
  expect(make({ messages, tools }).usage.prompt_tokens - without).toBe(countTokens(JSON.stringify(tools)));
});

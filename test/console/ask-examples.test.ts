import { startStandIns } from '@errand/stand-ins';
import { beforeAll, expect, test } from 'vitest';
import { askExamples } from '../../packages/console/examples/ask-examples.ts';

interface Message {
  content: string | null;
  tool_calls?: { function: { name: string } }[];
}

const tools = ['web_search', 'save_file'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
}));

let baseUrl: string;
beforeAll(async () => {
  const standIns = await startStandIns({ host: '127.0.0.1' });
  baseUrl = standIns.baseUrl;
  return standIns.close;
});

async function answerTo(content: string): Promise<Message> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'stand-in', messages: [{ role: 'user', content }], tools }),
  });
  const { choices } = (await response.json()) as { choices: { message: Message }[] };
  return choices[0]!.message;
}

test('the first example of Ask has the stand-ins quote its file', async () => {
  const [{ question, file }] = askExamples as [(typeof askExamples)[number]];
  const { content } = await answerTo(`${question}\n\nUploaded document:\n\n${await file!().text()}`);
  expect(content).toContain('Fog was the main cause of delays');
});

test.each([
  ['second', 1, 'web_search'],
  ['third', 2, 'save_file'],
])('the %s example of Ask has the stand-ins call a tool', async (_, at, tool) => {
  const { tool_calls: calls } = await answerTo(askExamples[at]!.question);
  expect(calls?.map((call) => call.function.name)).toEqual([tool]);
});

import { startStandIns } from '@errand/stand-ins';
import { beforeAll, expect, test } from 'vitest';
import { inChromium } from './support/in-chromium.ts';

interface Message {
  content: string | null;
  tool_calls?: { function: { name: string } }[];
}

const tools = ['web_search', 'save_file'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
}));

inChromium('the examples of Ask', (house) => {
  let baseUrl: string;
  beforeAll(async () => {
    const standIns = await startStandIns({ host: '127.0.0.1' });
    baseUrl = standIns.baseUrl;
    return standIns.close;
  });

  /** What a model is asked first where the page's example of this number is sent. */
  async function askedBy(at: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    house().models.script(({ messages }) => {
      // The run of an earlier test may still be asked whether its answer is complete.
      if (messages.every(({ role }) => role !== 'assistant')) resolve(messages);
      return { text: 'ok' };
    });
    const page = await house().open('/ask');
    await page.getByRole('region', { name: 'Examples' }).getByRole('button').nth(at).click();
    await page.keyboard.press('Enter');
    return promise;
  }

  async function answerTo(messages: unknown): Promise<Message> {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'stand-in', messages, tools }),
    });
    const { choices } = (await response.json()) as { choices: { message: Message }[] };
    return choices[0]!.message;
  }

  test('bring a file first, which the stand-ins quote', async () => {
    expect((await answerTo(await askedBy(0))).content).toContain('Fog was the main cause of delays');
  });

  test.each([
    ['search the web', 1, 'web_search'],
    ['save a file', 2, 'save_file'],
  ])('have the stand-ins %s', async (_, at, tool) => {
    const { tool_calls: calls } = await answerTo(await askedBy(at));
    expect(calls?.map((call) => call.function.name)).toEqual([tool]);
  });
});

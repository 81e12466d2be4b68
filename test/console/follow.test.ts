import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inTurn } from '../support/model-server.ts';
import { inChromium } from './support/in-chromium.ts';

inChromium('a run that goes on from another, in the console', (house) => {
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const answered = (page: Page, text: string) => page.getByRole('article').getByText(text).waitFor();
  const idOf = (page: Page) => page.url().split('/').at(-1)!;
  const toolMessages = () =>
    house()
      .models.requests[0]!.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
  const save = (name: string) => ({ name: 'save_data', args: { name, value: 'yes\u202e' } });

  async function askWith(rule: string): Promise<Page> {
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Remember it.');
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    await page.getByLabel('Ask me').selectOption(rule);
    await press(page, 'Ask');
    return page;
  }

  test('is asked below the answer, opens, knows what came before, and leads back to it', async () => {
    house().models.script(inTurn({ text: 'High water is at noon.' }));
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('When is high water?');
    await press(page, 'Ask');
    await answered(page, 'High water is at noon.');
    const first = idOf(page);
    house().models.script(inTurn({ text: 'At one.' }));
    await page.getByLabel('Ask further').fill('And tomorrow?');
    await page.keyboard.press('Enter');
    await answered(page, 'At one.');
    expect(
      house()
        .models.requests[0]!.messages.map(({ content }) => content)
        .slice(-3),
    ).toEqual([expect.stringContaining('When is high water?'), 'High water is at noon.', 'And tomorrow?']);
    expect(await house().service.read(idOf(page))).toMatchObject({ previousRunId: first });
    await page.getByRole('link', { name: 'Runs' }).click();
    const row = page.getByRole('row').filter({ hasText: 'And tomorrow?' });
    await row.getByText('goes on from an earlier run').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'the run before' }).click();
    await answered(page, 'High water is at noon.');
    expect(idOf(page)).toBe(first);
  });

  test('makes the calls that were approved, is told why another was refused, and asks again under the same rule', async () => {
    house().models.script(inTurn({ calls: [save('first'), save('second')] }));
    const page = await askWith('writes');
    const [first, second] = [0, 1].map((at) => page.getByRole('group', { name: 'save_data' }).nth(at));
    await second!.waitFor();
    expect(await first!.locator('pre').innerText()).toBe(
      '{\n  "name": "first",\n  "value": "yes\\u{202e}"\n}',
    );
    expect(await page.getByLabel('Your answer').count()).toBe(0);
    expect(await page.getByText('The run needs your approval').count()).toBe(1);
    expect(await page.getByText('Whether each call').count()).toBe(0);
    await press(page, 'Go on');
    expect(await page.getByText('Needs input').count()).toBe(1);
    await first!.getByLabel('Approve').check();
    await second!.getByLabel('Refuse').check();
    await second!.getByLabel('Reason').fill('Once is enough.');
    house().models.script(inTurn({ calls: [save('third')] }));
    await press(page, 'Go on');
    await page.getByText('"third"').waitFor();
    expect(toolMessages()).toEqual([
      expect.stringMatching(/^(?!Error)/),
      expect.stringContaining('has refused this call of save_data. Once is enough.'),
    ]);
    expect(await page.getByRole('group', { name: 'save_data' }).count()).toBe(1);
  });

  test('asks before it writes where the settings of a run that did so are not known', async () => {
    house().models.script(inTurn({ calls: [save('fourth')] }));
    const agentId = await house().service.start({ question: 'Remember it.', approve: ['save_data'] });
    await house().service.follow(agentId);
    const page = await house().open(`/runs/${agentId}`);
    await page.getByLabel('Refuse').check();
    house().models.script(inTurn({ calls: [save('fifth')] }));
    await press(page, 'Go on');
    await page.getByText('"fifth"').waitFor();
    expect(idOf(page)).not.toBe(agentId);
  });

  test('brings what was asked for: words, a file, the results of functions', async () => {
    const expected = [{ name: 'file', description: 'The table.' }];
    const request = { name: 'request_input', args: { message: 'Which harbour?', expected } };
    const start = async (call: typeof request | { name: string; args: object }, input: object = {}) => {
      house().models.script(inTurn({ calls: [call] }));
      const agentId = await house().service.start({ question: 'When is high water?', ...input });
      await house().service.follow(agentId);
      house().models.script(inTurn({ text: 'At noon.' }));
      return house().open(`/runs/${agentId}`);
    };
    const words = await start(request);
    await words.getByText('Which harbour?').waitFor();
    await words.getByLabel('Your answer').fill('Den Helder');
    await words.keyboard.press('Enter');
    await answered(words, 'At noon.');
    expect(toolMessages()).toEqual(['Den Helder']);
    const file = await start(request);
    await file.getByLabel('Your answer').waitFor();
    const table = { name: 'tides.txt', mimeType: 'text/plain', buffer: Buffer.from('High at 12:07.') };
    await file.locator('input[type=file]').setInputFiles(table);
    await press(file, 'Go on');
    await answered(file, 'At noon.');
    expect(JSON.stringify(house().models.requests[0]!.messages)).toContain('High at 12:07.');
    const functions = [{ name: 'stock_of', parameters: { type: 'object' } }];
    const results = await start({ name: 'stock_of', args: { item: 'rope' } }, { functions });
    await results.getByLabel('Result of stock_of').fill('The store is closed.');
    await results.getByLabel('It has failed').check();
    await press(results, 'Go on');
    await answered(results, 'At noon.');
    expect(toolMessages()).toEqual(['Error: The store is closed.']);
  });

  test('goes on without a question from a run that was cancelled', async () => {
    house().models.script(() => 'hang');
    const agentId = await house().service.start({ question: 'When is high water?' });
    const page = await house().open(`/runs/${agentId}`);
    await press(page, 'Cancel');
    await page.getByText('The run was cancelled.').waitFor();
    house().models.script(inTurn({ text: 'At noon.' }));
    await press(page, 'Go on');
    await answered(page, 'At noon.');
  });
});

import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { storeAgentOf } from '../runs/support/stored-agents.ts';
import type { ChatRequest } from '../support/model-server.ts';
import { inChromium } from './support/in-chromium.ts';
import { visits } from './support/visits.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const confirm = { calls: [{ name: 'confirm_answer', args: {} }] };

inChromium('agents and schedules', (house) => {
  beforeEach(() => house().models.script(() => ({ text: 'Nothing is new.' })));

  const walk = async (name: string): Promise<Page> => {
    const { place, go } = visits.find((each) => each.name === name)!;
    const page = await house().open(place);
    await go(page);
    return page;
  };
  const makeAgent = async (name: string, fields: object = {}) => {
    const made = await house().service.post('/v1/agents', { name, instructions: 'Look.', ...fields });
    expect(made.status).toBe(201);
  };
  const readAgent = async (name: string) =>
    (await house().service.request(`/v1/agents/${name}`)).json() as Promise<Record<string, unknown>>;

  test('Agents publishes versions, shows what one has changed of the definition, and restores one', async () => {
    const page = await walk('agent');
    const diff = page.getByRole('region', { name: /From version 1/ });
    const changed = (await diff.innerText()).split('\n').filter((line) => !line.startsWith(' '));
    expect(changed).toEqual(['+ maxCredits: 0.50', '+ Cite each page.']);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('version 3').first().waitFor();
    expect(await page.getByLabel('At most, in euros').inputValue()).toBe('');
  });

  test('Agents keeps of a definition what its form does not change, and takes away what is emptied', async () => {
    const kept = {
      mcp: ['stock'],
      approve: ['save_file'],
      skills: { name: 'plain-words', version: 2 },
      outputSchema: { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } },
    };
    await makeAgent('keeper', { ...kept, maxCredits: '0.50', open: ['model'] });
    const page = await house().open('/agents/keeper');
    await page.getByLabel('At most, in euros').fill('');
    await page.getByRole('combobox', { name: 'Effort' }).selectOption('high');
    await press(page, 'Save');
    await page.getByText('version 2').first().waitFor();
    const { maxCredits, ...agent } = await readAgent('keeper');
    expect(maxCredits).toBeUndefined();
    expect(agent).toMatchObject({ ...kept, effort: 'high', open: ['model'] });
  });

  test('Agents follows an agent to its new name, and marks one that is switched off', async () => {
    await makeAgent('first-name');
    const page = await house().open('/agents/first-name');
    await page.getByRole('textbox', { name: /^Name/ }).fill('second-name');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'second-name' }).waitFor();
    expect(page.url()).toMatch(/#\/agents\/second-name$/);
    await press(page, 'Disable');
    await page.getByText('disabled', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All agents' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'second-name' })
      .getByText('disabled', { exact: true })
      .waitFor();
  });

  test("Agents shows the operator's without a form, and one that another of its name hides without a link", async () => {
    const operator = { scope: 'provider' } as const;
    await storeAgentOf(house().service, operator, 'offered');
    await storeAgentOf(house().service, operator, 'twice');
    await makeAgent('twice');
    const page = await house().open('/agents');
    const offered = page.getByRole('region', { name: 'From the provider' });
    await offered.getByText('another one has its name').waitFor();
    expect(await page.getByRole('link', { name: 'twice' }).count()).toBe(1);
    await offered.getByRole('link', { name: 'offered' }).click();
    expect(await page.getByRole('region', { name: 'Instructions' }).innerText()).toBe('You are offered.');
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  test('Agents does not send a list of servers or a shape that is no JSON yet', async () => {
    const page = await house().open('/agents/new');
    await page.getByRole('textbox', { name: /^Name/ }).fill('half-written');
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Look.');
    await page.getByRole('textbox', { name: 'Servers of tools' }).fill('["stock"');
    await press(page, 'Create');
    await page.getByText('This is no list in JSON yet.').waitFor();
    await page.getByRole('textbox', { name: 'Servers of tools' }).fill('["stock"]');
    await press(page, 'Create');
    await page.getByRole('heading', { name: 'half-written' }).waitFor();
  });

  test('an agent is tried by a question, whose run names it', async () => {
    await makeAgent('tried');
    const page = await house().open('/agents/tried');
    await press(page, 'Try it');
    await page.getByText('Asked of the agent tried').waitFor();
    await page.getByLabel('Question').fill('What is new?');
    const sent = page.waitForRequest(/\/v1\/agents\/runs$/);
    await press(page, 'Ask');
    expect((await sent).postDataJSON()).toMatchObject({ question: 'What is new?', agent: 'tried' });
    await page.getByRole('article').getByText('Nothing is new.').waitFor();
    expect(await page.locator('.figures').innerText()).toMatch(/Agent\s+tried, version 1/);
    await press(page, 'Ask again');
    await page.getByText('Asked of the agent tried').waitFor();
  });

  test('Schedules shows when a pattern is due, and does not send what is none', async () => {
    const page = await house().open('/schedules/new');
    await page.getByLabel('Question', { exact: true }).fill('What is new?');
    await page.getByRole('textbox', { name: /^Times/ }).fill('0 7 * *');
    await press(page, 'Create');
    await page.getByText('These are no five fields of cron yet.').waitFor();
    await page.getByRole('textbox', { name: /^Times/ }).fill('0 7 1 1 *');
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
    const times = page.getByRole('list', { name: 'The next times' }).getByRole('listitem');
    expect(await times.count()).toBe(5);
    expect(await times.first().innerText()).toMatch(/1 Jan \d{4}, 07:00/);
    const sent = page.waitForRequest(/\/v1\/schedules$/);
    await press(page, 'Create');
    expect((await sent).postDataJSON()).toEqual({
      ...{ question: 'What is new?', cron: '0 7 1 1 *', timeZone: 'Asia/Tokyo', overlap: 'skip' },
    });
    await page.getByText('It was not due yet.').waitFor();
  });

  test('Schedules runs one at once, leads to its run and back, and pauses it', async () => {
    const page = await walk('schedule');
    const at = new URL(page.url()).hash;
    await press(page, 'Pause');
    await page.getByText('Paused').waitFor();
    await page.getByRole('table').getByRole('link').click();
    await page.getByRole('article').getByText('Nothing is new.').waitFor();
    await page.getByRole('link', { name: 'a schedule' }).click();
    await page.getByText('asked for at once').waitFor();
    expect(new URL(page.url()).hash).toBe(at);
    await press(page, 'Go on');
    await page.getByText(/Next \d/).waitFor();
  });

  test('Schedules changes what is written alone, and deletes one', async () => {
    const body = { question: 'What is new?', cron: '0 7 * * *', metadata: { team: 'docks' } };
    const { id } = (await (await house().service.post('/v1/schedules', body)).json()) as { id: string };
    const page = await house().open(`/schedules/${id}`);
    await page.getByText('Again and again').click();
    await page.getByRole('textbox', { name: /^Every/ }).fill('6h');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    expect((await sent).postDataJSON()).toEqual({ cron: null, every: '6h' });
    await page.getByText('every 6h').waitFor();
    await press(page, 'Delete');
    await press(page, 'Delete it; its runs stay');
    await page.getByRole('heading', { name: 'Schedules' }).waitFor();
    expect((await house().service.request(`/v1/schedules/${id}`)).status).toBe(404);
  });

  test('Schedules says why one has stopped, and why times have no run', async () => {
    const body = { question: 'What is new?', cron: '0 7 * * *', name: 'Stopped one' };
    const { id } = (await (await house().service.post('/v1/schedules', body)).json()) as { id: string };
    const page = await house().open('/ask');
    await page.route(`**/v1/schedules/${id}`, async (route) => {
      const answer = await route.fetch();
      const stopped = { reason: 'key_revoked', at: '2026-11-24T10:00:00Z' };
      const outcomes = [
        { at: '2026-11-24T07:00:00Z', status: 'refused', reason: 'The credits are spent.' },
        { at: '2026-11-23T07:00:00Z', status: 'skipped', missed: 2 },
      ];
      await route.fulfill({ json: { ...(await answer.json()), nextAt: undefined, stopped, outcomes } });
    });
    await page.evaluate(`location.hash = '#/schedules/${id}'`);
    await page.getByText(/^Stopped since .*: its key was revoked$/).waitFor();
    const rows = await page.getByRole('table').locator('tbody tr').allInnerTexts();
    expect(rows[0]).toMatch(/The credits are spent\.\s+Refused/);
    expect(rows[1]).toMatch(/makes up for 2 times that were missed\s+Left out/);
  });

  test('a run of high effort shows its sub-runs as they start and end, which lead to it and back', async () => {
    const [kiel, husum] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const said = ({ messages }: ChatRequest, role: string) =>
      String(messages.find((message) => message.role === role)?.content);
    let number = 0;
    house().models.script(async (request) => {
      const isPart = said(request, 'system').startsWith('You work on one part');
      if (!isPart) {
        const calls = [{ name: 'investigate', args: { questions: ['Tides of Kiel?', 'Tides of Husum?'] } }];
        return [{ calls }, { text: 'Both at noon.' }][number++] ?? confirm;
      }
      await (said(request, 'user').includes('Husum') ? husum : kiel).promise;
      return { text: 'At noon.' };
    });
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Compare the tides.');
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    await page.getByRole('combobox', { name: 'Effort' }).selectOption('high');
    await press(page, 'Ask');
    const parts = page.getByRole('region', { name: 'Parts of the question' });
    await parts.getByText('0 of 2 have ended.').waitFor();
    kiel.resolve();
    await parts.getByText('1 of 2 have ended.').waitFor();
    const tell = async () =>
      (await parts.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(await tell()).toEqual(['Tides of Kiel? Done', 'Tides of Husum? Running']);
    husum.resolve();
    await page.getByRole('article').getByText('Both at noon.').waitFor();
    expect(await tell()).toEqual(['Tides of Kiel? Done', 'Tides of Husum? Done']);
    await parts.getByRole('link', { name: 'Tides of Kiel?' }).click();
    await page.getByRole('link', { name: 'another run' }).click();
    await page.getByRole('article').getByText('Both at noon.').waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('row', { name: /Kiel.*works on a part of another run/ }).waitFor();
  });
});

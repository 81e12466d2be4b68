import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { inChromium } from './support/in-chromium.ts';

inChromium('the list of runs', (house) => {
  let key: string;
  beforeEach(async () => {
    house().models.script(() => ({ text: 'ok' }));
    ({ key } = await house().service.newAccount());
  });

  const start = async (question: string) => {
    const agentId = await house().service.start({ question }, key);
    await house().service.follow(agentId, { key });
    return agentId;
  };
  const asked = (page: Page) => page.locator('table.list tbody a');
  const lists = () =>
    house().console.requests.filter((line) => /^GET \/v1\/agents\/runs(\?|$)/.test(line)).length;
  /** A page whose time stands still from when the list is opened. */
  async function openList(): Promise<Page> {
    const page = await house().open('/ask', { key });
    await page.clock.install();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('button', { name: 'Refresh', disabled: false }).waitFor();
    return page;
  }
  const setHidden = (page: Page, hidden: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    `);

  test('has what other programs asked, whose runs are opened and asked again with the whole of it', async () => {
    const question = 'What did the depot spend?\nAnswer as a table.';
    await start(question);
    const page = await house().open('/runs', { key });
    await asked(page).getByText('What did the depot spend?', { exact: true }).click();
    await page.locator('.asked').waitFor();
    expect(await page.locator('.asked').innerText()).toBe(question);
    await page.getByRole('button', { name: 'Ask again' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe(question);
  });

  test('has runs of earlier releases by what the console kept with them', async () => {
    const page = await house().open('/ask', { key });
    const run = {
      agentId: 'old',
      status: 'succeeded',
      createdAt: '2026-11-24T10:00:00Z',
      usage: { credits: '0' },
    };
    const runs = [{ ...run, metadata: { question: 'Asked long ago?' } }];
    await page.route(/\/v1\/agents\/runs(\?|$)/, (route) => route.fulfill({ json: { runs } }));
    await page.getByRole('link', { name: 'Runs' }).click();
    await asked(page).getByText('Asked long ago?').waitFor();
  });

  test('says for how long the service keeps runs, as a run that is gone does', async () => {
    const page = await house().open('/ask', { key });
    const run = {
      agentId: 'kept',
      status: 'succeeded',
      createdAt: '2026-11-24T10:00:00Z',
      expiresAt: '2026-12-24T10:00:00Z',
      usage: { credits: '0' },
    };
    await page.route(/\/v1\/agents\/runs(\?|$)/, (route) => route.fulfill({ json: { runs: [run] } }));
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByText('What this key has asked in the last 30 days. After that a run is gone.').waitFor();
    await page.evaluate("location.hash = '#/runs/00000000-0000-0000-0000-000000000000'");
    await page.getByText('This run is gone (runs are kept for 30 days), or').waitFor();
  });

  test('is searched by words of the questions, and has cancelled runs alone where they are chosen', async () => {
    await start('How many doors has hall B?');
    await start('How many windows has hall C?');
    house().models.script(() => 'hang');
    const agentId = await house().service.start({ question: 'Who has the keys?' }, key);
    await house().service.post(`/v1/agents/runs/${agentId}/cancel`, {}, { key });
    const page = await house().open('/runs', { key });
    const seen = () => asked(page).allInnerTexts();
    await expect.poll(seen).toHaveLength(3);
    const before = lists();
    await page
      .getByRole('searchbox', { name: 'Words of the question' })
      .pressSequentially('DOORS how', { delay: 5 });
    await expect.poll(seen).toEqual(['How many doors has hall B?']);
    expect(lists() - before).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByLabel('Status').selectOption('Cancelled');
    await expect.poll(seen).toEqual(['Who has the keys?']);
    await page.getByRole('searchbox').fill('nothing of it');
    await page.getByText('There are no such runs.').waitFor();
  });

  test('renews itself four times a minute at most, and not while it is hidden', async () => {
    await start('The first');
    const page = await openList();
    await expect.poll(() => asked(page).allInnerTexts()).toEqual(['The first']);
    await start('The second');
    const before = lists();
    await page.clock.runFor(14_900);
    expect(lists()).toBe(before);
    await page.clock.runFor(45_100);
    await expect.poll(() => asked(page).allInnerTexts()).toEqual(['The second', 'The first']);
    expect(lists()).toBe(before + 1);
    await setHidden(page, true);
    await start('The third');
    await page.clock.runFor(600_000);
    expect(lists()).toBe(before + 1);
    await setHidden(page, false);
    await page.clock.runFor(1);
    await expect.poll(() => asked(page).count()).toBe(3);
    expect(lists()).toBe(before + 2);
  });

  test('keeps the runs that its visitor asked for more of when it renews itself', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 21; i++) ids.push(await start(`Number ${i}`));
    const page = await openList();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => asked(page).count()).toBe(21);
    await start('The newest');
    await page.clock.runFor(60_000);
    await asked(page).getByText('The newest').waitFor();
    expect(await asked(page).count()).toBe(22);
  });
});

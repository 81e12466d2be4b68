import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { inChromium } from './support/in-chromium.ts';

inChromium('refusals in the console', (house) => {
  const alert = async (page: Page) => {
    const shown = page.getByRole('alert').filter({ hasText: 'Request id' });
    await shown.waitFor();
    return (await shown.innerText()).replaceAll(/\s+/g, ' ');
  };
  const ask = async (page: Page) => {
    await page.getByLabel('Question').fill('How are you?');
    await page.keyboard.press('Enter');
  };

  test('a wrong key stays at the door, with words and the id of the request', async () => {
    const page = await house().open('', { key: '' });
    await page.getByLabel('API key').fill('no-such-key');
    await page.keyboard.press('Enter');
    expect(await alert(page)).toMatch(/^The key is not accepted\. .*Request id \S+/);
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('a right key opens the door, and is in no address and in nothing that outlives the tab', async () => {
    const page = await house().open('', { key: '' });
    await page.getByLabel('API key').fill(house().service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    expect(page.url()).not.toContain(house().service.apiKey);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(
      house().service.apiKey,
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('a key that its visitor did not ask to keep is gone when the page is reloaded', async () => {
    const page = await house().open('', { key: '' });
    await page.getByLabel('Keep it until the tab is closed').uncheck();
    await page.getByLabel('API key').fill(house().service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
  });

  test('a key that is no longer accepted leads back to the door', async () => {
    const page = await house().open('/models', { key: 'revoked-since' });
    expect(await alert(page)).toContain('The key is not accepted.');
    await page.getByLabel('API key').waitFor();
  });

  test('an account without credits sees the reason, and its question stays', async () => {
    const { key } = await house().service.newAccount('0');
    const page = await house().open('/ask', { key });
    await ask(page);
    expect(await alert(page)).toMatch(
      /There is too little left to pay for this\. No remaining credits \(EUR\).*Request id/,
    );
    expect(await page.getByLabel('Question').inputValue()).toBe('How are you?');
  });

  test('too many requests are shown with the time to wait', async () => {
    const key = await house().newKey({ rate: 1 });
    // The window of the rate does not end in between.
    house().setClock(Date.now());
    onTestFinished(() => house().setClock());
    const page = await house().open('/ask', { key });
    await page.getByRole('link', { name: /^Available/ }).waitFor();
    await ask(page);
    expect(await alert(page)).toMatch(
      /Too many requests\. .*Worth another try in (\d+ min )?\d+ s\. Request id \S+/,
    );
  });

  test.each([
    ['/decide', '/v1/models'],
    ['/ask', '/v1/agents'],
    ['/agents/new', '/v1/agents'],
    ['/schedules', '/v1/schedules'],
    ['/chat', '/v1/skills'],
  ])('of %s, which needs %s, is told, and another try works', async (place, path) => {
    const page = await house().open();
    await page.route(`**${path}`, (route) => route.abort());
    await page.goto(`${page.url().split('#')[0]}#${place}`);
    await page.reload();
    if (place === '/ask') await page.getByText('Agent, model, skill, tools and spending limit').click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute(`**${path}`);
    await retry.click();
    await retry.waitFor({ state: 'detached' });
  });

  test('a service that is out of reach is shown as such, and a retry works', async () => {
    const page = await house().open('/ask');
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    await page.getByLabel('write_todos').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Runs' }).click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await page.getByRole('alert').first().innerText()).toContain('The service cannot be reached.');
    await page.context().setOffline(false);
    await retry.click();
    await page.getByText('There are no such runs.').waitFor();
  });

  test('a start that is retried automatically says why', async () => {
    const page = await house().open('/ask');
    let refused = 0;
    await page.route('**/v1/agents/runs', (route) =>
      route.request().method() === 'POST' && refused++ === 0
        ? route.fulfill({
            status: 503,
            headers: { 'Retry-After': '1' },
            body: '{"error":"The disk is full"}',
          })
        : route.continue(),
    );
    await ask(page);
    await page.getByText('It is asked again in').waitFor();
    await page.getByText('The service cannot answer at the moment.').waitFor();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
  });

  test('a start whose Idempotency-Key had another request leads to Runs, and the next one has another key', async () => {
    const page = await house().open('/ask');
    const keys = new Set<string>();
    let lost = 0;
    await page.route('**/v1/agents/runs', async (route) => {
      keys.add(String(route.request().headers()['idempotency-key']));
      if (lost++ > 0) return route.continue();
      await route.fetch({ postData: '{"question":"Another?"}' });
      return route.abort();
    });
    await ask(page);
    expect(await alert(page)).toContain('This Idempotency-Key was used with another request body.');
    const words = page.getByText('The service may have started this question already: look at Runs.');
    expect(await words.getByRole('link').getAttribute('href')).toBe('#/runs');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    expect(keys.size).toBe(2);
  });
});

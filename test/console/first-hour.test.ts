import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inChromium } from './support/in-chromium.ts';

inChromium('the first hour with the console', (house) => {
  const focused = (page: Page) => page.evaluate('document.activeElement.localName');
  const json = (page: Page, place: string | RegExp, body: () => object) =>
    page.route(place, (route) => route.fulfill({ json: body() }));
  const listedRuns = /\/v1\/agents\/runs(\?|$)/;
  const oneRun = /\/v1\/agents\/runs\/[^/]+$/;
  const run = {
    agentId: 'a-run',
    question: 'Which of the four depots spent the most on energy in the third quarter?',
    status: 'running',
    createdAt: '2026-11-24T10:00:00Z',
    updatedAt: '2026-11-24T10:00:01Z',
    usage: { credits: '0' },
  };

  test('Runs on a phone give the question the whole line, and stay a table within the page', async () => {
    const page = await house().open('/ask', { width: 390 });
    await json(page, listedRuns, () => ({ runs: [{ ...run, status: 'failed', error: 'Cancelled' }] }));
    await page.getByRole('link', { name: 'Runs' }).click();
    const row = page.getByRole('row', { name: /Which of the four/ });
    const asked = (await row.getByRole('cell').first().boundingBox())!;
    expect(asked.width).toBeGreaterThan(300);
    const [table, status, age] = await Promise.all(
      [page.getByRole('table'), row.getByRole('cell').nth(1), row.getByRole('cell').last()].map((each) =>
        each.boundingBox(),
      ),
    );
    expect(table!.x + table!.width).toBeLessThan(390 - 10);
    expect(status!.y).toBeGreaterThanOrEqual(asked.y + asked.height);
    expect(age!.y).toBeLessThan(status!.y + status!.height);
  });

  test('Runs say of a run that waits that it does', async () => {
    const page = await house().open('/ask');
    const waiting = { for: 'queue', since: run.createdAt };
    await json(page, listedRuns, () => ({ runs: [{ ...run, status: 'queued', waiting }] }));
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.locator('.pill.is-waiting', { hasText: 'Waiting' }).waitFor();
  });

  test('Runs that cannot be read are read again after 5, 10, 20 and at most 60 seconds', async () => {
    const page = await house().open('/ask');
    await page.clock.install();
    let reads = 0;
    await page.route(listedRuns, (route) => {
      reads++;
      return route.abort();
    });
    await page.getByRole('link', { name: 'Runs' }).click();
    await expect.poll(() => reads).toBe(1);
    for (const [at, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
      await page.getByText('The service cannot be reached.').waitFor();
      await page.clock.runFor((seconds - 1) * 1000);
      expect(reads).toBe(at + 1);
      await page.clock.runFor(1000);
      await expect.poll(() => reads).toBe(at + 2);
    }
  });

  test('a run that is opened from the list by keyboard has the focus on its page, and so has the list when it is back', async () => {
    const page = await house().open('/ask');
    await json(page, listedRuns, () => ({ runs: [run] }));
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: run.question }).press('Enter');
    await page.getByRole('heading', { name: 'Run', exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe('main');
    await page.getByRole('link', { name: 'All runs' }).press('Enter');
    await page.getByRole('link', { name: run.question }).waitFor();
    await expect.poll(() => focused(page)).toBe('main');
  });

  test('a run that was cancelled is shown as such with its time, before it is read again', async () => {
    house().models.script(() => 'hang');
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Cancel me at once?');
    await page.keyboard.press('Enter');
    await page.locator('.pill', { hasText: 'Running' }).waitFor();
    const read = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    await page.route(oneRun, async (route) => {
      await read.promise;
      await route.continue().catch(() => {});
    });
    await page.route('**/cancel', async (route) => {
      const response = await route.fetch();
      cancelled.resolve();
      await read.promise;
      await route.fulfill({ response }).catch(() => {});
    });
    const time = page.locator('.figures > div', { hasText: 'Time' }).locator('dd');
    await expect.poll(async () => (await time.innerText()).endsWith(' s')).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await cancelled.promise;
    await page.getByText('The run was cancelled.').waitFor();
    expect(await page.locator('.run-head .pill').innerText()).toContain('Cancelled');
    expect(await time.innerText()).toMatch(/[\d.]+ s$/);
    read.resolve();
  });

  test('a run that is gone says so and leads to Runs, and offers nothing to ask again', async () => {
    for (const place of ['runs', 'ask']) {
      const page = await house().open(`/${place}/00000000-0000-0000-0000-000000000000`);
      const told = page.getByText(
        'This run is gone (runs are kept for 24 hours), or it belongs to another key.',
      );
      await told.waitFor();
      expect(
        await page.getByRole('main').getByRole('link', { name: 'Runs', exact: true }).getAttribute('href'),
      ).toBe('#/runs');
      expect(await page.getByRole('button', { name: /Ask again|Try again/ }).count()).toBe(0);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Run');
      expect(await page.getByText('A question goes to an agent').count()).toBe(0);
      await page.context().close();
    }
  });

  test('Ask is empty after its question was sent, and Ask again fills it', async () => {
    house().models.script(() => ({ text: 'ok' }));
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Is it empty?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('');
    await page.getByRole('region', { name: 'Examples' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Ask again', disabled: false }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe('Is it empty?');
  });

  test('an example of Chat is sent by Enter', async () => {
    house().models.script(() => ({ text: 'Because it is.' }));
    const { key } = await house().service.newAccount('1');
    const page = await house().open('/chat', { key });
    await page.getByText('writer · no skill').waitFor();
    await page.getByRole('region', { name: 'Examples' }).getByRole('button').first().click();
    await page.keyboard.press('Enter');
    await page.getByText('Because it is.').waitFor();
  });

  const webhook = {
    id: 'hook',
    url: 'https://hooks.example.com/errand',
    description: '',
    events: ['run.failed'],
    enabled: true,
    createdAt: run.createdAt,
  };
  const failing = {
    id: 'failing',
    type: 'run.failed',
    status: 'pending',
    attempts: 2,
    createdAt: run.createdAt,
    lastAttemptAt: run.createdAt,
    nextAttemptAt: run.updatedAt,
    response: { status: 500, body: 'An error of the receiver, which is told at length. '.repeat(8) },
  };
  const openDeliveries = async (deliveries: () => object[], width?: number) => {
    const page = await house().open('/ask', { width });
    await json(page, '**/v1/webhooks', () => ({ webhooks: [webhook] }));
    await json(page, /\/deliveries/, () => ({ deliveries: deliveries() }));
    await page.route('**/test', (route) => route.fulfill({ status: 202, json: {} }));
    await page.getByRole('link', { name: 'Webhooks' }).click();
    return page;
  };

  test.each([1280, 390])(
    'Deliveries have all of their columns in view at %i pixels, and say of what failed that it will be tried again',
    async (width) => {
      const page = await openDeliveries(() => [failing], width);
      await page.getByText('Deliveries, and a test').click();
      const row = page.getByRole('row', { name: /A run has failed/ });
      await row.getByText('Failed, will be tried again').waitFor();
      const frame = (await page.locator('.webhooks .card').boundingBox())!;
      for (const cell of await row.getByRole('cell').all()) {
        const box = (await cell.boundingBox())!;
        expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width);
      }
      const [next, answer] = [row.getByText(/^Next try/), row.getByRole('cell').nth(2)];
      const told = (await next.boundingBox())!;
      expect(told.x - (await answer.boundingBox())!.x).toBeLessThan(20);
      expect(told.height).toBeLessThan(30);
    },
  );

  test('a test of a webhook is looked for after 1, 3 and 10 seconds, until it has an outcome', async () => {
    let status = 'pending';
    let reads = 0;
    const page = await openDeliveries(() => {
      reads++;
      return [{ id: 'a', type: 'webhook.test', status, attempts: 0, createdAt: run.createdAt }];
    });
    await page.clock.install();
    await page.getByText('Deliveries, and a test').click();
    await page.getByText('On its way').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect.poll(() => reads).toBe(2);
    await page.getByRole('button', { name: 'Send a test', disabled: false }).waitFor();
    await page.clock.runFor(1000);
    await expect.poll(() => reads).toBe(3);
    status = 'succeeded';
    await page.clock.runFor(2000);
    await page.getByText('Arrived').waitFor();
    await page.clock.runFor(20_000);
    expect(reads).toBe(4);
  });

  test('Webhooks and servers of tools are in the menu', async () => {
    const page = await house().open('/ask');
    const menu = page.getByRole('navigation', { name: 'Pages' });
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(
      expect.arrayContaining(['Webhooks', 'Servers of tools']),
    );
  });

  test('a refusal names the field as its page does', async () => {
    const page = await house().open('/webhooks');
    await page.getByLabel('Address').fill('http://127.0.0.1:1/');
    await page.getByRole('button', { name: 'Create' }).click();
    const told = page.getByRole('alert').filter({ hasText: 'Request id' });
    await told.waitFor();
    expect(await told.innerText()).toMatch(/Address: /);
    expect(await told.innerText()).not.toMatch(/\burl: /);
  });
});

import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { isCheck } from '../support/model-server.ts';
import { answer, question, workOn } from './support/example.ts';
import { inChromium } from './support/in-chromium.ts';

inChromium('a run in the console', (house) => {
  const start = async (page: Page) => {
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
  };
  /** A model that calls a tool, and answers when it is told to. The run of an earlier test may still ask it. */
  const answerLater = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    house().models.script(async (request) => {
      if (!request.messages.some(({ role }) => role === 'tool'))
        return { calls: [{ name: 'read_data', args: {} }] };
      await promise;
      return isCheck(request) ? { calls: [{ name: 'confirm_answer', args: {} }] } : { text: 'All is well.' };
    });
    return resolve;
  };
  const streams = () => house().console.requests.filter((line) => line.endsWith('/stream')).length;

  test('goes on by itself after its connection was cut, and shows each event once', async () => {
    const goOn = answerLater();
    const page = await house().open('/ask');
    await start(page);
    await page.locator('summary', { hasText: 'read_data' }).waitFor();
    const before = streams();
    house().console.cut();
    await page.getByText('Connection lost.').waitFor();
    goOn();
    await page.getByRole('article').getByText('All is well.').waitFor();
    expect(streams()).toBeGreaterThan(before);
    expect(await page.getByText('Connection lost.').count()).toBe(0);
    expect(await page.locator('summary', { hasText: 'read_data' }).count()).toBe(1);
  });

  test('says why it does not go on while its provider fails, that nothing is charged, and no more once it goes on', async () => {
    let isDown = true;
    house().models.script(() => (isDown ? { status: 503 } : { text: 'All is well.' }));
    const page = await house().open('/ask');
    await start(page);
    const notice = page.getByText('Waiting for the model provider since');
    await notice.waitFor();
    expect(await notice.innerText()).toMatch(
      /until [\d:]{8} at the latest\. Nothing is charged meanwhile\.$/,
    );
    isDown = false;
    await page.getByRole('article').getByText('All is well.').waitFor();
    expect(await notice.count()).toBe(0);
  });

  test('shows the money that it has spent before it is over', async () => {
    const goOn = answerLater();
    const page = await house().open('/ask');
    await start(page);
    await page.getByText('€0.00').waitFor();
    expect(await page.locator('.money').innerText()).not.toBe('€0');
    expect(await page.getByText('Running').count()).toBe(1);
    goOn();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
  });

  test('is started once, however often Enter is pressed, and also if its visitor retries after a lost answer', async () => {
    house().models.script(() => ({ text: 'ok' }));
    const page = await house().open('/ask');
    const keys: string[] = [];
    let lost = true;
    await page.route('**/v1/agents/runs', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(String(route.request().headers()['idempotency-key']));
      const answer = await route.fetch();
      if (lost) await page.getByRole('button', { name: 'Stop sending' }).click();
      await route.fulfill({ response: answer }).catch(() => {});
    });
    await page.getByLabel('Question').fill('Once?');
    for (let times = 0; times < 5; times++) await page.keyboard.press('Enter');
    await page.getByText('Asking the same again starts no second run.').waitFor();
    lost = false;
    await page.getByLabel('Question').press('Enter');
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'Once?' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Once?' }).count()).toBe(1);
  });

  test('is not opened under another key, where its visitor signed out while it was started', async () => {
    house().models.script(() => ({ text: 'ok' }));
    const page = await house().open('/ask');
    const signedOut = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await page.route('**/v1/agents/runs', async (route) => {
      await signedOut.promise;
      await route.continue().catch(() => {});
      answered.resolve();
    });
    const left = page.waitForEvent('requestfailed');
    await start(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill(await house().newKey({}));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    signedOut.resolve();
    await answered.promise;
    expect((await left).url()).toMatch(/runs$/);
    expect(await page.getByLabel('Question').inputValue()).toBe('');
    expect(new URL(page.url()).hash).toBe('#/ask');
  });

  test('ends when it is cancelled, and says so', async () => {
    answerLater();
    const page = await house().open('/ask');
    await start(page);
    await page.locator('summary', { hasText: 'read_data' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The run was cancelled.').waitFor();
    await page.locator('.pill', { hasText: 'Cancelled' }).waitFor();
  });

  test('says what it needs, where it asks its caller for more', async () => {
    house().models.script(() => ({
      calls: [
        {
          name: 'request_input',
          args: {
            message: 'Which depot?',
            expected: [{ name: 'question', description: 'The name of the depot' }],
          },
        },
      ],
    }));
    const page = await house().open('/ask');
    await start(page);
    await page.getByText('Which depot?').waitFor();
    expect(await page.locator('main').innerText()).toContain('The name of the depot');
  });

  test.each([
    ['fails', (route: Route) => route.abort()],
    ['hangs', () => {}],
  ])('has its answer drawn in the end, where loading what reads it %s at first', async (_, refuse) => {
    house().models.script(() => ({ text: 'All is **well**.' }));
    const page = await house().open('/ask');
    await page.clock.install();
    let asked = 0;
    await page.route('**/read-worker*', (route) => (asked++ === 0 ? refuse(route) : route.continue()));
    await start(page);
    const answered = page.getByRole('article');
    await answered.getByText('All is **well**.').waitFor();
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(10_000);
          return answered.locator('strong').count();
        },
        { interval: 500 },
      )
      .toBeGreaterThan(0);
    expect(asked).toBeGreaterThan(1);
  });

  test('shows a long answer although much of it is formatted', async () => {
    const paragraph = 'The **depot** spent 54,100 EUR on `energy` in *the third* quarter. '.repeat(5);
    house().models.script(() => ({ text: `${paragraph}\n\n`.repeat(1200) }));
    const page = await house().open('/ask');
    await start(page);
    await page.getByRole('article').locator('strong').first().waitFor();
  });

  test('takes a file that is larger than a form may be, and shows how much of it is sent', async () => {
    house().models.script(workOn);
    const page = await house().open('/ask');
    await page.evaluate(watchProgress);
    await page.locator('input[type=file]').setInputFiles({
      name: 'large.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The depot spent 54,100 EUR on energy.\n'.repeat(120_000)),
    });
    await start(page);
    await page.getByRole('article').getByText('54,100 EUR').first().waitFor();
    expect(house().console.requests).toContain('POST /v1/uploads');
    expect(await page.evaluate('window.seenProgress')).toBeGreaterThan(0);
    expect(answer).toContain('54,100 EUR');
  });
});

const watchProgress = `
  window.seenProgress = 0;
  new MutationObserver(() => {
    const bar = document.querySelector('progress');
    if (bar) window.seenProgress = Math.max(window.seenProgress, bar.value);
  }).observe(document.body, { childList: true, subtree: true, attributes: true });
`;

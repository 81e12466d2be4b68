import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeInChromium } from '../support/chromium.ts';
import { type DescribedOperation, describedApp, type OpenApiDocument } from '../support/openapi-document.ts';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';

/** The media types of an operation's body and answers. The page takes most of a second to open one, so it opens one of each form. */
const formOf = ({ requestBody, responses }: DescribedOperation): string => {
  const mediaTypes = (part: object = {}) => Object.keys('content' in part ? (part.content ?? {}) : part);
  const answers = Object.values(responses).map((answer) => mediaTypes(answer).join());
  return JSON.stringify([mediaTypes(requestBody), [...new Set(answers)].sort()]);
};

describeInChromium('the reference', (browser) => {
  let service: TestService;
  let document: OpenApiDocument;

  useServiceAlone((started) => ({ service } = started));
  beforeAll(async () => {
    ({ document } = await describedApp());
  });

  /** Opens the page, and fails the test if the browser complains, or asks any other host for anything. */
  async function open(path = '/docs', colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const complaints: string[] = [];
    const page = await browser().newPage({ colorScheme });
    page.setDefaultTimeout(90_000);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.baseUrl)
        complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(`${service.baseUrl}${path}`);
    await page.waitForSelector('.opblock');
    onTestFinished(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });
    return page;
  }

  const authorize = async (page: Page) => {
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', service.apiKey);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
  };

  test('shows every operation, every schema, and the answers of an operation of each form', async () => {
    const page = await open();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    const opened = [...new Map(operations.map((operation) => [formOf(operation), operation])).values()];
    // In the page, because a click from outside waits for the browser to draw. One at a time, because all are 19,000 elements.
    const shown = await page.evaluate<Record<string, number>>(`(async () => {
      const answers = {};
      for (const id of ${JSON.stringify(opened.map(({ operationId }) => operationId))}) {
        const block = document.querySelector('.opblock[id$="-' + id + '"]');
        const summary = block.querySelector('.opblock-summary-control');
        summary.click();
        while (!block.querySelector('.responses-table .response')) await new Promise((done) => setTimeout(done, 20));
        answers[id] = block.querySelectorAll('.responses-table .response').length;
        summary.click();
      }
      return answers;
    })()`);
    expect(shown).toEqual(
      Object.fromEntries(
        opened.map(({ operationId, responses }) => [operationId, Object.keys(responses).length]),
      ),
    );
    await page.click('section.models h4 button');
    // From 100 schemas on the page draws those that are in sight.
    const schemas = await page.evaluate<string[]>(`(async () => {
      const list = [...document.querySelectorAll('section.models, section.models *')].find(
        (each) => each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(each).overflowY),
      );
      const names = new Set();
      for (;;) {
        for (const name of document.querySelectorAll('section.models .json-schema-2020-12__title')) names.add(name.textContent);
        if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) return [...names];
        list.scrollTop += list.clientHeight / 2;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
    })()`);
    expect(schemas.toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
    expect(await page.locator('.errors-wrapper').count()).toBe(0);
  });

  test('a visitor can try a request with a key, which only the tab keeps', async () => {
    const page = await open('/docs#/money/getCredits');
    await authorize(page);
    const block = page.locator('.opblock[id$="-getCredits"]');
    const answered = page.waitForResponse(/\/v1\/credits/);
    await block.locator('.execute').click();
    expect((await answered).status()).toBe(200);
    await block.locator('.live-responses-table .highlight-code', { hasText: '"balance"' }).waitFor();
    const kept = await page.evaluate('[Object.values(sessionStorage), Object.values(localStorage)]');
    expect(kept).toEqual([[service.apiKey], []]);
    await page.reload();
    await page.locator('.btn.authorize.locked').waitFor();
    await page.click('.btn.authorize');
    await page.getByRole('button', { name: 'Remove authorization' }).click();
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    "is %s where the visitor prefers that, and no link makes it show somebody else's document, or send a key to it",
    async (scheme) => {
      const elsewhere = 'https://elsewhere.example';
      const page = await open(`/docs?url=${elsewhere}/openapi.json&configUrl=${elsewhere}/c`, scheme);
      expect(await page.locator('.info .title').textContent()).toContain('Errand');
      const brightness = async (what: string, colour: string): Promise<number> => {
        const text = await page.evaluate<string>(
          `getComputedStyle(document.querySelector('${what}')).${colour}`,
        );
        const [red = 0, green = 0, blue = 0] = text.match(/[\d.]+/g)?.map(Number) ?? [];
        return red + green + blue;
      };
      const bar = await brightness('.errand-bar', 'backgroundColor');
      const title = await brightness('.info .title', 'color');
      expect(scheme === 'dark' ? title - bar : bar - title).toBeGreaterThan(450);
    },
  );
});

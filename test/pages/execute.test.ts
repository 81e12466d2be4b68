import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInChromium } from '../support/chromium.ts';
import { type DescribedOperation, describedApp, type OpenApiDocument } from '../support/openapi-document.ts';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';

/** The statuses that the page shows for operations whose success is none of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  // Its 302 leads to the storage, and a browser shows what it finds there.
  downloadFile: '200',
};

/** An operation with the media types that its body may have; one without a body has the empty one. */
interface Step {
  id: string;
  tag: string;
  method: string;
  types: string[];
}

/** The longest that one operation may take, from being opened to its answer. */
const stepMilliseconds = 60_000;

/**
 * Executes operations as they are, in this order, and resolves with what the page shows. Runs in the page, because a click from
 * outside waits for the browser to draw. Only one tag is open at a time: the page draws all that is open again with every answer.
 */
const executeAll = (steps: readonly Step[]) => `(async () => {
  const turn = () => new Promise((done) => setTimeout(done, 20));
  const answered = '.live-responses-table tbody .response-col_status';
  const seen = {};
  for (const { id, tag, types } of ${JSON.stringify(steps)}) {
    for (const section of document.querySelectorAll('.opblock-tag-section')) {
      const header = section.querySelector('.opblock-tag');
      if (section.classList.contains('is-open') !== (header.dataset.tag === tag)) header.click();
    }
    const blocks = '.opblock[id$="-' + id + '"]';
    const find = (selector) => document.querySelector(selector.replaceAll(/^|(?<=, )/g, blocks + ' '));
    const reaches = async (isReached) => {
      const until = performance.now() + ${stepMilliseconds};
      while (!isReached() && performance.now() < until) await turn();
      return isReached();
    };
    await reaches(() => find('.opblock-summary-control'));
    find('.opblock-summary-control').click();
    // Until its answers are drawn, the page has not resolved the operation.
    await reaches(() => find('.execute') && find('.responses-table:not(.live-responses-table) .response'));
    for (const type of types) {
      const select = find('.opblock-section-request-body select.content-type');
      if (select && select.value !== type) {
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, type);
        select.dispatchEvent(new Event('change', { bubbles: true }));
      }
      await turn();
      find('.execute').click();
      const answer = await reaches(() => find(answered + ', .invalid, .validation-errors'));
      seen[id + ' ' + type] = !answer
        ? 'no answer'
        : answer.matches(answered)
          ? answer.textContent.trim().slice(0, 3)
          : 'not sent: ' + (find('.errand-hint')?.textContent ?? 'a field is missing');
      find('.btn-clear')?.click();
      await reaches(() => !find(answered));
    }
    find('.opblock-summary-control').click();
  }
  return seen;
})()`;

describeInChromium('the reference executes', (browser) => {
  let service: TestService;
  let document: OpenApiDocument;

  useServiceAlone((started) => ({ service } = started));
  beforeAll(async () => {
    ({ document } = await describedApp());
  });

  const operations = (): (DescribedOperation & { method: string })[] =>
    Object.values(document.paths).flatMap((methods) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method })),
    );

  async function open(): Promise<Page> {
    const page = await browser().newPage();
    await page.goto(`${service.baseUrl}/docs`);
    await page.waitForSelector('.opblock');
    return page;
  }

  async function authorize(page: Page): Promise<void> {
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', service.apiKey);
    const read = page.waitForResponse(/\/v1\/models$/, { timeout: 30_000 }).catch(() => {});
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
    await read;
  }

  /** In the order of the page; what deletes comes at the end, since it takes what the others need. */
  async function stepsOf(page: Page): Promise<Step[]> {
    const ids = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.opblock')].map(({ id }) => id.split('-').at(-1))`,
    );
    const described = new Map(operations().map((operation) => [operation.operationId, operation]));
    const steps = ids.flatMap((id): Step[] => {
      const { method, tags: [tag = ''] = [], requestBody } = described.get(id) ?? {};
      return method ? [{ id, tag, method, types: Object.keys(requestBody?.content ?? { '': {} }) }] : [];
    });
    const deletes = ({ method }: Step) => method === 'delete';
    return [...steps.filter((step) => !deletes(step)), ...steps.filter(deletes)];
  }

  test('every operation with every type of body, unchanged, and is answered as it documents success', async () => {
    const page = await open();
    await authorize(page);
    const steps = await stepsOf(page);
    const successOf = ({ id }: Step) =>
      elsewhere[id] ??
      Object.keys(operations().find(({ operationId }) => operationId === id)?.responses ?? {}).find(
        (status) => status.startsWith('2'),
      );
    const seen = await page.evaluate(executeAll(steps));
    expect(seen).toEqual(
      Object.fromEntries(
        steps.flatMap((step) => step.types.map((type) => [`${step.id} ${type}`, successOf(step)])),
      ),
    );
    expect(new Set(steps.map(({ id }) => id))).toEqual(
      new Set(operations().map(({ operationId }) => operationId)),
    );
    await page.close();
  });
});

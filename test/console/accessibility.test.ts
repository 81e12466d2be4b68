import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { inTurn } from '../support/model-server.ts';
import { workOn } from './support/example.ts';
import { inChromium } from './support/in-chromium.ts';
import { useForDays } from './support/use-for-days.ts';
import { visits } from './support/visits.ts';

inChromium('the console for everybody', (house) => {
  let axe = '';
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    house().models.script(workOn);
    await useForDays(house());
  });

  const violations = async (page: Page) => {
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
    const found = (await page.evaluate(`
      axe.run(document).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))
    `)) as string[];
    return found;
  };
  /** What reaches out of the page to the right, apart from what scrolls by itself. */
  const overflowing = (page: Page) =>
    page.evaluate(`
      document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
        [...document.querySelectorAll('main *')]
          .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
          .map((each) => each.outerHTML.slice(0, 120))
    `);

  test.each(visits)(
    '$name: axe finds nothing in light, in dark and on a phone, which scrolls down alone',
    async ({ place, go }) => {
      const page = await house().open(place);
      await go(page);
      const light = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(await violations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe(light);
      expect(await violations(page)).toEqual([]);
      for (const width of [390, 375]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await overflowing(page)).toEqual([]);
      }
      expect(await violations(page)).toEqual([]);
    },
  );

  test('axe finds nothing on a run that asks about calls, with a refusal, and it scrolls down alone', async () => {
    const functions = [{ name: 'stock_of', parameters: { type: 'object' } }];
    const calls = [
      { name: 'save_data', args: { name: 'seen', value: 'long '.repeat(100) } },
      { name: 'stock_of', args: { item: 'rope' } },
    ];
    house().models.script(inTurn({ calls }));
    const input = { question: 'Remember it.', approve: 'writes', functions };
    const agentId = await house().service.start(input);
    await house().service.follow(agentId);
    house().models.script(workOn);
    const page = await house().open(`/runs/${agentId}`);
    await page.getByLabel('Refuse').check();
    await page.getByLabel('Reason').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await overflowing(page)).toEqual([]);
  });

  test('a phone shows the links to all pages in two lines', async () => {
    const page = await house().open('/ask', { width: 390 });
    const boxes = await Promise.all(
      (await page.getByRole('navigation').getByRole('link').all()).map((link) => link.boundingBox()),
    );
    expect(boxes).toHaveLength(11);
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(2);
    expect(Math.max(...boxes.map((box) => (box?.x ?? Infinity) + (box?.width ?? 0)))).toBeLessThan(390);
  });

  test('axe finds nothing at the door, with and without an error', async () => {
    const page = await house().open('', { key: '' });
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('API key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Request id').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflowing(page)).toEqual([]);
  });

  test('the keyboard reaches the page by the skip link, then its first control', async () => {
    const page = await house().open('/usage');
    await page.getByLabel('From').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const first = `document.querySelector('main').querySelector('a, button, input, select, textarea')`;
    expect(await page.evaluate(`document.activeElement === ${first}`)).toBe(true);
  });

  test("a choice of colours overrides the system's, and is remembered", async () => {
    const page = await house().open('/ask');
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByText('Dark', { exact: true }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    expect(await ground()).toBe(dark);
  });
});

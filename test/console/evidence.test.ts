import { readConfig } from '@errand/platform';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { workOn } from './support/example.ts';
import { inChromium } from './support/in-chromium.ts';
import { openEvidence, visits } from './support/visits.ts';

inChromium('the evidence of an answer', (house) => {
  beforeEach(() => house().models.script(workOn));

  const markersIn = (page: Page) =>
    page.getByRole('article').getByRole('button', { name: 'Passage of source 1' });
  const dialogIn = (page: Page) => page.getByRole('dialog', { name: 'Source 1: depot-q3' });
  const focused = (page: Page) => page.evaluate('document.activeElement.id');
  const textOf = async (locator: Locator) =>
    (await locator.allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ').trim();
  /** A page with an answer about a file of text. */
  const answered = async (options?: { width?: number }) => {
    const page = await house().open('/ask', options);
    await visits.find(({ name }) => name === 'ask')!.go(page);
    return page;
  };

  /** Has the service tell more of each citation, as it does of other runs. */
  const changeCitations = (page: Page, more: object) =>
    page.route(/\/v1\/agents\/runs\/[\w-]+(\?|$)/, async (route) => {
      const response = await route.fetch();
      const run = (await response.json()) as { citations?: object[] };
      const citations = run.citations?.map((each) => ({ ...each, ...more }));
      await route.fulfill({ response, json: { ...run, citations } });
    });

  test('stands beside the answer in full, with the cited words marked, its page, and support as a word and a number', async () => {
    const page = await house().open('/ask');
    await openEvidence(page);
    const dialog = dialogIn(page);
    expect(await textOf(dialog.locator('mark'))).toContain('Electricity came to 41,800 EUR');
    expect(await textOf(dialog.locator('mark'))).not.toContain('Lighting');
    const text = await textOf(dialog);
    expect(text).toContain('Lighting was changed to LEDs');
    expect(text).toContain('The source says, page 2');
    expect(text).toContain('The depot spent 54,100 EUR on energy');
    expect(text).toMatch(/Support:\s+[01]\.\d\d, [a-z ]*supported/);
    const hidden = await page.evaluate(`
      [...document.querySelectorAll('[role=dialog], [role=dialog] *')].filter((each) =>
        each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).overflowY !== 'visible').length`);
    expect(hidden).toBe(0);
    const [marker, panel] = [await markersIn(page).first().boundingBox(), await dialog.boundingBox()];
    expect(panel!.x).toBeGreaterThan(marker!.x);
    expect(panel!.y).toBeLessThanOrEqual(marker!.y + 1);
    expect(panel!.y + panel!.height).toBeGreaterThan(marker!.y);
  });

  test('tells claims of one source apart: each number opens its own claim and its own words', async () => {
    const page = await answered();
    const expected = [
      ['The depot spent 54,100 EUR on energy', 'Heating came to 12,300 EUR.'],
      ['Electricity rose by 9 %', 'Electricity came to 41,800 EUR, 9 % more than in the second quarter.'],
      ['Two thirds of the electricity goes into cooling', 'Two thirds of the electricity is cooling'],
      ['The doors of hall B stand open', 'the doors of hall B stand open for four hours on a working day.'],
    ] as const;
    const markers = markersIn(page);
    expect(await markers.count()).toBe(expected.length);
    for (const [i, [claim, words]] of expected.entries()) {
      await markers.nth(i).click();
      await dialogIn(page).getByText(claim).first().waitFor();
      await dialogIn(page).locator('mark').first().waitFor();
      expect(await textOf(dialogIn(page).locator('mark'))).toContain(words);
      expect(await page.locator('[aria-expanded=true]').count()).toBe(1);
    }
  });

  test('opens by Enter and is announced; Escape closes it, and the focus is on the number again', async () => {
    const page = await answered();
    const marker = markersIn(page).nth(1);
    await marker.focus();
    const id = await focused(page);
    await page.keyboard.press('Enter');
    const dialog = dialogIn(page);
    await dialog.waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('dialog');
    const told = await page.evaluate(
      'document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent',
    );
    expect(told).toContain('The answer says: Electricity rose by 9 %');
    expect(told).toContain('The source says: Electricity came to 41,800 EUR');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(id);
  });

  test('opens from the list of citations too, and its button closes it', async () => {
    const page = await answered();
    const claim = page
      .getByRole('complementary', { name: 'Citations' })
      .getByRole('button', { name: 'The doors of hall B' });
    await claim.click();
    await dialogIn(page).getByRole('button', { name: 'Close' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('The doors of hall B');
  });

  test('takes the whole width of a phone, and shows the marked words', async () => {
    const page = await answered({ width: 390 });
    await markersIn(page).last().click();
    const words = dialogIn(page).locator('mark').first();
    await words.waitFor();
    const box = await dialogIn(page).boundingBox();
    expect([box!.x, box!.width]).toEqual([0, 390]);
    await expect.poll(async () => (await words.boundingBox())!.y).toBeLessThan(860);
  });

  test('of a web page opens that page at the cited words', async () => {
    const page = await house().open('/ask');
    await changeCitations(page, { type: 'url_citation', url: 'https://example.com/depot', title: 'Depot' });
    await visits.find(({ name }) => name === 'ask')!.go(page);
    await markersIn(page).nth(1).click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Open it there' });
    expect(await link.getAttribute('href')).toBe(
      'https://example.com/depot#:~:text=Electricity%20came%20to%2041%2C800%20EUR%2C%209%20%25%20more%20than%20in%20the%20second%20quarter.',
    );
    expect(await link.getAttribute('rel')).toContain('noopener');
  });

  test("changes its words for support at the service's own threshold", async () => {
    const { runProofThreshold } = readConfig('local', {});
    for (const [support, words] of [
      [runProofThreshold, /0\.50, supported/],
      [runProofThreshold - 0.001, /0\.49, weakly supported/],
    ] as const) {
      const page = await house().open('/ask');
      await changeCitations(page, { support });
      await visits.find(({ name }) => name === 'ask')!.go(page);
      await markersIn(page).first().click();
      expect(await textOf(dialogIn(page))).toMatch(words);
    }
  });
});

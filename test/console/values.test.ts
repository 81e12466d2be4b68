import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { workOn } from './support/example.ts';
import { inChromium } from './support/in-chromium.ts';
import { askForValue } from './support/visits.ts';

inChromium('a result with a shape', (house) => {
  beforeEach(() => house().models.script(workOn));

  const asked = async (): Promise<Page> => {
    const page = await house().open('/ask');
    await askForValue(page);
    return page;
  };
  const textOf = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

  /** Has the service tell more of the run, as it does of other runs. */
  const changeRun = (page: Page, change: (run: Record<string, unknown>) => object) =>
    page.route(/\/v1\/agents\/runs\/[\w-]+(\?|$)/, async (route) => {
      const response = await route.fetch();
      const run = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...run, ...(run.output !== undefined && change(run)) } });
    });

  const saved = async (page: Page, name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };

  test('stands as fields, and its list of objects as a table', async () => {
    const page = await asked();
    const cells = await page.getByRole('table').locator('th, td').allInnerTexts();
    expect(cells.map((cell) => cell.replace(/\s*1$/, ''))).toEqual([
      ...['measure', 'cost', 'saves'],
      ...['Fast doors for hall B', '18000', '26000'],
      ...['=A warmer set point at night', '–', '7500'],
    ]);
    expect(textOf(await page.locator('.value').innerText())).toContain('spent 54100');
  });

  test('opens behind each fact what its source says, beside the name of its place', async () => {
    const page = await asked();
    const marker = page.getByRole('button', { name: 'Passage of source 1: measures 1 saves: 26000' });
    await marker.click();
    const dialog = page.getByRole('dialog', { name: 'Source 1: depot-q3' });
    await dialog.locator('mark').first().waitFor();
    const told = textOf(await dialog.innerText());
    expect(told).toContain('The answer says measures 1 saves: 26000');
    expect(told).toContain('save 26,000 EUR each year');
    expect(await page.locator('.value [aria-expanded=true]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(focused).toBe('Passage of source 1: measures 1 saves: 26000');
  });

  test('opens passages from the list of citations, with the names of their places', async () => {
    const page = await asked();
    await page.getByRole('complementary').getByRole('button', { name: 'spent: 54100' }).click();
    await page.getByRole('dialog', { name: 'Source 1' }).waitFor();
  });

  test('is downloaded as JSON, and its table as CSV in which no text is a formula', async () => {
    const page = await asked();
    expect(await saved(page, 'Download CSV of measures')).toEqual({
      name: 'measures.csv',
      text: "measure,cost,saves\r\nFast doors for hall B,18000,26000\r\n'=A warmer set point at night,,7500\r\n",
    });
    const json = await saved(page, 'Download JSON');
    expect(json.name).toBe('result.json');
    expect(JSON.parse(json.text)).toMatchObject({ spent: 54_100 });
  });

  test('marks what its sources do not bear out', async () => {
    const page = await house().open('/ask');
    await changeRun(page, () => ({ unsupported: ['/measures/1/cost'] }));
    await askForValue(page);
    const marked = page.locator('td').filter({ hasText: 'not borne out' });
    expect(textOf(await marked.innerText())).toBe('– not borne out');
    expect(await page.getByRole('note').innerText()).toContain('One field is not borne out');
  });

  test('keeps what it marks within its cell on a phone', async () => {
    const page = await house().open('/ask', { width: 390 });
    const output = {
      rows: [{ name: 'Fast doors for hall B, and a warmer set point at night', cost: 1, kind: 'b' }],
    };
    const unsupported = ['/rows/0/name', '/rows/0/cost', '/rows/0/kind'];
    const told = { output, result: JSON.stringify(output), basis: [], citations: [], unsupported };
    await changeRun(page, () => told);
    await askForValue(page);
    const ends = (await page.evaluate(`[...document.querySelectorAll('.value td')].map((cell) =>
      [cell.querySelector('strong'), cell].map((each) => each.getBoundingClientRect().right))`)) as number[][];
    expect(ends).toHaveLength(3);
    for (const [mark, cell] of ends) expect(mark).toBeLessThanOrEqual(cell!);
  });

  test('of lists of texts, nested objects and no items is shown as well', async () => {
    const page = await house().open('/ask');
    const output = {
      ...{ names: ['a', 'b'], of: { deep: { flag: false } }, none: [] },
      ...{ 'a/b~c': 'x', rows: [{ in: { it: 1 } }] },
    };
    await changeRun(page, () => ({ output, result: JSON.stringify(output), basis: [], citations: [] }));
    await askForValue(page);
    expect(textOf(await page.locator('.value dl').first().innerText())).toBe(
      'names a b of deep flag false none none a/b~c x rows in it 1 Download CSV of rows',
    );
  });
});

inChromium('the shape on the Ask page', (house) => {
  beforeEach(() => house().models.script(workOn));

  test('is said to be no JSON while it is none, and nothing is asked until it is', async () => {
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('What did the depot spend?');
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    const field = page.getByLabel('Shape of the result');
    await field.fill('{ "type": ');
    await page.getByText('This is no JSON object yet.').waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    expect(await page.evaluate('document.activeElement.matches("textarea.code:invalid")')).toBe(true);
    await field.fill('{ "type": "object", "not": {} }');
    await page.getByText('A JSON Schema. The answer').waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/not/);
  });

  test('is there again where the question is asked again', async () => {
    const page = await house().open('/ask');
    await askForValue(page);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('With a shape of the result').waitFor();
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    expect(await page.getByLabel('Shape of the result').inputValue()).toContain('"measures"');
  });
});

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inChromium } from './support/in-chromium.ts';

const maths = `The energy is $E = mc^2$, and for a falling stone[^drag] it is

$$
\\begin{aligned} h &= \\frac{g\\,t^2}{2} \\\\ v &= \\sqrt{2 g h} \\end{aligned}
$$

- It costs $5 or $10, a share of \\(x_1\\).

[^drag]: Without drag.`;

const arabic =
  '# مرحبا\n\nهذا جواب قصير عن **السؤال**.\n\n- أولا\n- ثانيا\n\nAn English paragraph.\n\n`code`';

inChromium('an answer', (house) => {
  const ask = async (text: string, question = 'Well?', width = 1240) => {
    house().models.script(() => ({ text }));
    const page = await house().open('/chat', { width });
    await page.evaluate(`
      window.refused = [];
      addEventListener('securitypolicyviolation', ({ blockedURI }) => window.refused.push(blockedURI));
    `);
    await page.getByText('writer · no skill').waitFor();
    await page.getByLabel('Message', { exact: true }).fill(question);
    await page.keyboard.press('Enter');
    await page.getByText('Emissions').waitFor();
    await page.locator('.prose:not(.as-written)').waitFor();
    return page;
  };
  const mathsLoads = () => house().console.requests.filter((each) => each.includes('/maths-worker-')).length;

  test('without formulas does not load the reader of formulas', async () => {
    await ask('It costs $5 or $10 \\, and *more*.');
    expect(mathsLoads()).toBe(0);
  });

  test('has its formulas as MathML and its footnotes at its end, under the policy of the page and without styles', async () => {
    const page = await ask(maths);
    await page.locator('math').nth(2).waitFor();
    expect(mathsLoads()).toBe(1);
    expect(await page.locator('math').allTextContents()).toEqual(['E=mc2', 'h=gt22v=2gh', 'x1']);
    expect(await page.evaluate("document.querySelector('mfrac').namespaceURI")).toBe(
      'http://www.w3.org/1998/Math/MathML',
    );
    const height = async (place: string) => (await page.locator(place).first().boundingBox())!.height;
    expect(await height('mfrac')).toBeGreaterThan(1.5 * (await height('p math')));
    expect(await page.locator('.prose').innerText()).toContain('It costs $5 or $10, a share of');
    await page.getByRole('button', { name: 'Footnote 1', exact: true }).click();
    expect(await page.evaluate('document.activeElement.parentNode.textContent')).toContain('Without drag.');
    await page.getByRole('button', { name: 'Back from footnote 1' }).click();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Footnote 1');
    expect(await page.evaluate('window.refused')).toEqual([]);
    expect(await page.locator('main [style]').count()).toBe(0);
  });

  test.each([
    ['is no TeX', '$\\frac{$ and text', '\\frac{'],
    ['would lead somewhere', '$\\href{https://evil.example}{x}$ and text', '\\href{https://evil.example}{x}'],
    ['calls itself', '$\\def\\a{\\a\\a}\\a$ and text', '\\def\\a{\\a\\a}\\a'],
    ['is nested deep', nestedFormula(121), 'x^{y}'],
    ['is nested very deep', nestedFormula(900), 'x^{y}'],
  ])('shows a formula that %s as it was written', async (_, text, seen) => {
    const page = await ask(`${text}\n\nA good one: $x^2$`);
    await page.locator('msup').waitFor();
    expect(await page.locator('.prose p code').innerText()).toContain(seen);
    expect(await page.locator('.prose a').count()).toBe(0);
  });

  /** Some 12,000 nodes. */
  const large =
    '$\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b\\b\\b\\b\\b\\b}\\c\\c\\c\\c\\c\\c$';

  test.each([
    ['one formula many times', Array<string>(134).fill(large)],
    ['many formulas', Array.from({ length: 134 }, (_, i) => large.replace(/\$$/, `${i}$`))],
  ])(
    'draws of %s what a browser draws quickly, and shows the rest as it was written',
    async (_, formulas) => {
      const page = await ask(formulas.join(' '));
      await page.locator('math').first().waitFor();
      expect(await page.locator('math').count()).toBe(3);
      expect(await page.locator('.prose p > code').count()).toBe(formulas.length - 3);
    },
  );

  test('that is long and honest is drawn whole', async () => {
    const formula =
      '\\frac{a_1 + b_2}{c^2 + d} = \\sum_{i=0}^{n} x_i y_i + \\sqrt{z - 1} \\cdot e^{-k t} + 2';
    const page = await ask(
      Array.from({ length: 300 }, (_, i) => `So $${formula} + ${i}$ holds.`).join('\n\n'),
    );
    await page.locator('math').nth(299).waitFor();
    expect(await page.locator('.prose code').count()).toBe(0);
  });

  test('does not get wider than a phone by a formula', async () => {
    const wide = `x_1 + ${'y + '.repeat(60)}z`;
    const page = await ask(`In a line $${wide}$ so.\n\n- And $${wide}$\n\n$$${wide}$$`, 'Well?', 390);
    await page.locator('math').nth(2).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  /** Whether the first words of the element begin at its right. */
  const fromRight = (page: Page, place: string) =>
    page.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(place)});
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = range.getBoundingClientRect();
      const { left, right } = element.getBoundingClientRect();
      return right - text.right < text.left - left;
    })()`);
  const direction = (page: Page, place: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(place)})).direction`);

  test('and its question are laid out from right to left where their words are', async () => {
    const page = await ask(arabic, 'ما هو الجواب؟');
    expect(await direction(page, '.said-by-me')).toBe('rtl');
    for (const place of ['.prose h3', '.prose p', '.prose li'])
      expect(await fromRight(page, place), place).toBe(true);
    expect(await fromRight(page, '.prose ul + p')).toBe(false);
    expect(await direction(page, '.prose code')).toBe('ltr');
    const field = page.getByLabel('Message', { exact: true });
    await field.fill('سؤال');
    expect(await direction(page, '.composer textarea')).toBe('rtl');
    await field.fill('question');
    expect(await direction(page, '.composer textarea')).toBe('ltr');
  });

  test('with formulas, footnotes and words from right to left, and one that is edited, are nothing that axe finds', async () => {
    const page = await ask(`${maths}\n\n${arabic}`);
    await page.locator('math').nth(2).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.evaluate('scrollTo(0, 0)');
    await page.getByText('Settings').click();
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
    const found = `axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + html)))`;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(found)).toEqual([]);
    }
    await page.setViewportSize({ width: 375, height: 740 });
    expect(await page.evaluate(found)).toEqual([]);
  });
});

function nestedFormula(levels: number): string {
  return `$${'{'.repeat(levels)}x^{y}${'}'.repeat(levels)}$ and text`;
}

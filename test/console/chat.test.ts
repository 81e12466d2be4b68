import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inChromium } from './support/in-chromium.ts';

const paragraphs = (count: number) => 'A paragraph of some words that is a line or two.\n\n'.repeat(count);

/** An answer whose pieces come when the test lets them. */
function pieces() {
  const waiting: ((piece: string | undefined) => void)[] = [];
  const told: (string | undefined)[] = [];
  const next = () =>
    new Promise<string | undefined>((resolve) => {
      if (told.length > 0) resolve(told.shift());
      else waiting.push(resolve);
    });
  const tell = (piece?: string) => {
    const resolve = waiting.shift();
    if (resolve) resolve(piece);
    else told.push(piece);
  };
  async function* text(): AsyncGenerator<string> {
    for (let piece = await next(); piece !== undefined; piece = await next()) yield piece;
  }
  return { text: text(), tell, end: () => tell() };
}

inChromium('the chat', (house) => {
  const say = async (page: Page, text: string) => {
    await page.getByText('writer · no skill').waitFor();
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.keyboard.press('Enter');
  };
  /** Talks once: the answer is long, ends with the question, and is over. */
  const talk = async (page: Page, question: string, count = 30) => {
    house().models.script(() => ({ text: `${paragraphs(count)}On ${question}.` }));
    await say(page, question);
    await page.getByText(`On ${question}.`).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  };
  /** Whether the text is seen above the field for messages. */
  const inView = async (page: Page, text: string) => {
    const [seen, field] = await Promise.all([
      page.getByText(text, { exact: true }).last().boundingBox(),
      page.locator('.composer').boundingBox(),
    ]);
    return seen!.y >= 0 && seen!.y + seen!.height <= field!.y;
  };
  const place = (page: Page) => page.evaluate('scrollY') as Promise<number>;
  const asked = (index: number) =>
    house()
      .models.requests.at(index)!
      .messages.map(({ role, content }) => `${role}: ${String(content).slice(-9)}`);

  test.each([1240, 390])(
    'at a width of %d follows the answer that streams, and shows all of it',
    async (width) => {
      const page = await house().open('/chat', { width });
      await talk(page, 'first');
      const { text, tell, end } = pieces();
      house().models.script(() => ({ text }));
      await say(page, 'second');
      for (const word of ['alpha', 'beta', 'gamma']) {
        tell(`${paragraphs(10)}${word}\n\n`);
        await page.getByText(word, { exact: true }).waitFor();
        await expect.poll(() => inView(page, word)).toBe(true);
      }
      end();
      await page.getByRole('button', { name: 'Copy answer' }).nth(1).waitFor();
      await expect.poll(() => page.getByText('Emissions').last().isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: 'To the end' }).count()).toBe(0);
    },
  );

  test('keeps its place when its visitor scrolls up, and goes on to follow from the end', async () => {
    const page = await house().open('/chat');
    await talk(page, 'first');
    const { text, tell, end } = pieces();
    house().models.script(() => ({ text }));
    await say(page, 'second');
    tell(`${paragraphs(20)}alpha\n\n`);
    await expect.poll(() => inView(page, 'alpha')).toBe(true);
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, -700);
    const toEnd = page.getByRole('button', { name: 'To the end' });
    await toEnd.waitFor();
    const before = await place(page);
    tell(`${paragraphs(20)}beta\n\n`);
    await page.getByText('beta', { exact: true }).waitFor();
    expect(await place(page)).toBe(before);
    await toEnd.click();
    await toEnd.waitFor({ state: 'detached' });
    expect(await inView(page, 'beta')).toBe(true);
    tell(`${paragraphs(20)}gamma`);
    await page.getByText('gamma', { exact: true }).waitFor();
    await expect.poll(() => inView(page, 'gamma')).toBe(true);
    end();
  });

  test('stays at its end when the keyboard of a phone opens', async () => {
    const page = await house().open('/chat', { width: 390 });
    await talk(page, 'first');
    await page.setViewportSize({ width: 390, height: 380 });
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollHeight - innerHeight - scrollY < 2'))
      .toBe(true);
  });

  test('whose script cannot be loaded says so, and is there when that is tried again', async () => {
    const page = await house().open('/ask');
    await page.route('**/chat-page-*', (route) => route.abort());
    await page.getByRole('link', { name: 'Chat' }).click();
    await page.getByText('A part of this page could not be loaded.').waitFor();
    await page.unroute('**/chat-page-*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('writer · no skill').waitFor();
  });

  test.each([
    ['a screen', { width: 1240, height: 860 }],
    ['a phone with its keyboard open', { width: 390, height: 380 }],
  ])('has its field in sight wherever one reads, on %s', async (_, size) => {
    const page = await house().open('/chat');
    await page.setViewportSize(size);
    await talk(page, 'first');
    const field = page.getByLabel('Message', { exact: true });
    const bottom = async () => {
      const box = (await field.boundingBox())!;
      return box.y >= 0 && box.y + box.height <= size.height;
    };
    expect(await bottom()).toBe(true);
    await page.evaluate('scrollTo(0, 0)');
    expect(await bottom()).toBe(true);
  });

  test('shows its settings as one line until they are opened', async () => {
    const page = await house().open('/chat');
    const line = page.locator('.settings');
    await line.getByText('writer · no skill').waitFor();
    expect((await line.boundingBox())!.height).toBeLessThan(40);
    expect(await page.getByLabel('Temperature').isVisible()).toBe(false);
    await line.getByText('Settings').click();
    await page.getByLabel('Temperature').fill('0.3');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('eyes');
    await line.getByText('eyes · no skill · temperature 0.3').waitFor();
  });

  test('is there again after a reload, and goes on from there', async () => {
    const page = await house().open('/chat');
    await talk(page, 'first', 3);
    await page.getByLabel('Message', { exact: true }).fill('half a thought');
    await page.reload();
    await page.getByText('On first.').waitFor();
    await page.getByText('Emissions').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('half a thought');
    await talk(page, 'second', 1);
    expect(asked(-1)).toEqual(['user: first', 'assistant: On first.', 'user: second']);
  });

  test('shows an answer that streamed when the page was loaded again as broken off', async () => {
    const page = await house().open('/chat');
    const { text, tell, end } = pieces();
    house().models.script(() => ({ text }));
    await say(page, 'first');
    tell('So far.');
    await page.getByText('So far.').waitFor();
    await page.reload();
    await page.getByText('It broke off here.').waitFor();
    expect(await page.getByText('So far.').isVisible()).toBe(true);
    expect(await page.getByRole('article').getAttribute('aria-busy')).toBe('false');
    end();
  });

  const keptTexts = (page: Page) =>
    page.evaluate('Object.entries(sessionStorage).filter(([name]) => name !== "errand.key")');

  test('is forgotten when its visitor signs out, though an answer streams', async () => {
    const page = await house().open('/chat');
    const { text, tell, end } = pieces();
    await talk(page, 'first', 1);
    house().models.script(() => ({ text }));
    await say(page, 'second');
    tell('So far.');
    await page.getByText('So far.').waitFor();
    expect(await keptTexts(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.reload();
    await page.getByText('writer · no skill').waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    end();
  });

  test('is kept in memory alone if its visitor has the key kept there', async () => {
    const page = await house().open('/chat', { key: '' });
    await page.getByLabel('API key').fill(house().service.apiKey);
    await page.getByLabel('Keep it until the tab is closed').uncheck();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await talk(page, 'first', 1);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('drops its oldest turns from what the tab keeps before the tab has no room', async () => {
    const page = await house().open('/chat');
    for (const name of ['first', 'second', 'third']) {
      house().models.script(() => ({ text: `${'-'.repeat(450_000)}\n\nOn ${name}.` }));
      await say(page, name);
      // The answer may be there before its beginning is seen.
      await page.getByText(`On ${name}.`).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    }
    await page.reload();
    await page.getByRole('article').first().waitFor();
    const questions = page.getByRole('article').locator('.said-by-me');
    expect(await questions.allInnerTexts()).toEqual(['second', 'third']);
  });

  test('asks an edited message again, and what came after it goes then', async () => {
    const page = await house().open('/chat');
    for (const name of ['first', 'second', 'third']) await talk(page, name, 1);
    const second = page.getByRole('article').nth(1);
    await second.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Edited message').press('Escape');
    expect(await page.getByRole('article').count()).toBe(3);
    await second.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Edited message').fill('another');
    expect(await page.getByText('On third.').isVisible()).toBe(true);
    house().models.script(() => ({ text: 'On another.' }));
    await page.keyboard.press('Enter');
    await page.getByText('On another.').waitFor();
    expect(await page.locator('.said-by-me').allInnerTexts()).toEqual(['first', 'another']);
    expect(asked(-1)).toEqual(['user: first', 'assistant: On first.', 'user: another']);
  });

  test('keeps the old turns if an edited message is refused', async () => {
    const page = await house().open('/chat');
    for (const name of ['first', 'second']) await talk(page, name, 1);
    house().models.script(() => ({ status: 400, body: '{"error":{"message":"No."}}' }));
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.getByLabel('Edited message').fill('another');
    await page.keyboard.press('Enter');
    await page.getByText('Request id').waitFor();
    expect(await page.getByLabel('Edited message').inputValue()).toBe('another');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.said-by-me').allInnerTexts()).toEqual(['first', 'second']);
  });

  test('copies an answer as the model wrote it', async () => {
    const page = await house().open('/chat');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    house().models.script(() => ({ text: 'Some **bold** words.' }));
    await say(page, 'first');
    await page.getByRole('button', { name: 'Copy answer' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('Some **bold** words.');
  });
});

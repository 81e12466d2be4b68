import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isCheck } from '../support/model-server.ts';
import { inChromium } from './support/in-chromium.ts';

const hostile = `# Title

<script>window.ran = 'script'</script>
<img src="https://evil.example/a.png" onerror="window.ran = 'onerror'">
<iframe src="https://evil.example/b"></iframe><style>body { display: none }</style>
<svg onload="window.ran = 'svg'"><animate onbegin="window.ran = 'animate'"></svg>
<a href="javascript:window.ran='anchor'">plain</a>

[run](javascript:window.ran='link') [data](data:text/html,<script>window.ran='data'</script>)
[vb](vbscript:x) [relative](//evil.example/c) [file](file:///etc/passwd) [key](#/ask?key=1)
![picture](https://evil.example/d.png) ![inline](data:image/svg+xml,<svg onload="window.ran='image'">)
[a good one](https://good.example/page "title") <https://good.example/auto>

| <b onclick="window.ran='cell'">cell</b> | [x](javascript:window.ran='table') |
|---|---|
| ![t](https://evil.example/e.png) | &lt;script&gt; |

\`\`\`html
<script>window.ran = 'code'</script>
\`\`\`
\uE000\u0030\uE001 [1] [999] The end.`;

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** Elements that load or run something, whoever wrote them. */
const dangerous =
  'main :is(script, img, iframe, style, object, embed, link, video, audio, form form, [onclick], [onload], [onerror], [style])';

inChromium('a hostile text', (house) => {
  /** Opens the page, and watches what it asks for and what its policy refuses. */
  const openWatched = async (place: string) => {
    const page = await house().open(place);
    const origin = new URL(page.url()).origin;
    const strangers: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) strangers.push(request.url());
    });
    await page.evaluate(`
      window.refused = [];
      addEventListener('securitypolicyviolation', ({ blockedURI }) => window.refused.push(blockedURI));
    `);
    return { page, strangers };
  };
  const expectHarmless = async ({ page, strangers }: { page: Page; strangers: string[] }) => {
    await page.locator('.prose a').first().waitFor();
    for (const link of await page.getByText('plain').all()) await link.click();
    for (const link of await page.getByText('run', { exact: true }).all()) await link.click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.evaluate('window.refused')).toEqual([]);
    expect(strangers).toEqual([]);
    expect(await page.evaluate(`document.querySelectorAll(${JSON.stringify(dangerous)}).length`)).toBe(0);
    const links = (await page.evaluate(
      `[...document.querySelectorAll('.prose a')].map(({ href, rel }) => ({ href, rel }))`,
    )) as { href: string; rel: string }[];
    expect(links.map(({ href }) => href)).toContain('https://good.example/page');
    for (const { href, rel } of links) {
      expect(href).toMatch(/^(https?|mailto):/);
      expect(rel).toContain('noopener');
    }
  };

  test('of a run runs nothing, loads nothing, and leads nowhere but to pages', async () => {
    house().models.script((request, number) => {
      if (number === 1)
        return { text: hostile, calls: [{ name: 'save_data', args: { name: 'question', value: hostile } }] };
      return isCheck(request) ? { calls: [{ name: 'confirm_answer', args: {} }] } : { text: hostile };
    });
    const watched = await openWatched('/ask');
    await watched.page.getByLabel('Question').fill(`save as question: ${hostile}`);
    await watched.page.getByRole('button', { name: 'Ask', exact: true }).click();
    await watched.page.getByText('How it got there').click();
    await watched.page.locator('summary', { hasText: 'save_data' }).click();
    await expectHarmless(watched);
  });

  test('of a chat runs nothing, loads nothing, and leads nowhere but to pages', async () => {
    house().models.script(() => ({ text: hostile }));
    const watched = await openWatched('/chat');
    await watched.page.getByLabel('Message').fill(hostile);
    await watched.page.getByRole('button', { name: 'Send' }).click();
    await watched.page.getByText('Emissions').waitFor();
    await expectHarmless(watched);
  });

  /** Has a run call a tool and answer with this, and opens its page. */
  const openAnswer = async (text: string, args: object = {}) => {
    house().models.script((request, number) => {
      if (number === 1) return { calls: [{ name: 'web_search', args }] };
      return isCheck(request) ? { calls: [{ name: 'confirm_answer', args: {} }] } : { text };
    });
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Well?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    return page;
  };

  test.each([
    ['takes minutes to read', '**a *b'.repeat(20_000)],
    ['is nested in quotes', `${'>'.repeat(4_000)}a`],
    ['is nested in lists', `${'- '.repeat(2_000)}a`],
    ['is nested in emphasis', `${'*a **b '.repeat(1_000)}${' b** a*'.repeat(1_000)}`],
  ])('of a run that %s is shown as it was written, and the page goes on', async (_, text) => {
    const page = await openAnswer(text);
    await page.locator('.as-written').first().waitFor();
    await page.getByText('How it got there').click();
    await page.locator('summary', { hasText: 'web_search' }).waitFor();
  });

  test.each([
    ['are objects', { query: { toString: 1, valueOf: 1 } }],
    ['are nested deep', { query: nested(3_000) }],
  ])('of a call whose arguments %s leaves the answer and the call to be seen', async (_, args) => {
    const page = await openAnswer('Well.', args);
    await page.getByText('How it got there').click();
    await page.locator('summary', { hasText: 'web_search' }).click();
    await page.getByRole('heading', { name: 'Result' }).waitFor();
  });

  test('from an address that is no address leads to the page that it names', async () => {
    const page = await house().open('/runs/%');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  });

  test('from an address opens no page, and takes no key along', async () => {
    const page = await house().open('/runs/..%2F..%2Fcredits%3Fkey=1');
    await page.getByText('This run is gone').waitFor();
    expect(page.url()).not.toContain(house().service.apiKey);
  });
});

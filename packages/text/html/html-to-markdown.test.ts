import { describe, expect, test } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { NestingError } from './nesting-error.ts';

const markdown = async (html: string) => (await htmlToMarkdown(html, 100_000)).text;
const prose = 'A sentence that is long enough to be read. '.repeat(20);

describe('HTML as markdown', () => {
  test.each([
    ['code in a line', '<p>Use <code>a  b</code> now', 'Use `a b` now'],
    ['code with backticks', '<p><code>a `b`</code>', '`` a `b` ``'],
    ['code that a link is on', '<a href="https://a.b"><code>x</code></a>', '[`x`](https://a.b)'],
    ['code blocks with fences in them', '<pre><code>```\nx\n```</code></pre>', '````\n```\nx\n```\n````'],
    [
      'links in headings',
      '<h3>News: <a href="https://a.b"><b>today</b></a></h3>',
      '### News: [today](https://a.b)',
    ],
    ['marks by turns', '<b>a</b> b <i>c</i>', '**a** b *c*'],
  ])('keeps %s', async (_, html, expected) => {
    expect(await markdown(html)).toBe(expected);
  });

  test('reads a table with headed prose in its cells as the blocks in them', async () => {
    const html = `<table><tr><td><h2>Left</h2><p>${prose}</td><td><ul><li>right</ul></td></tr></table>`;
    expect(await markdown(html)).toBe(`## Left\n\n${prose.trim()}\n\n- right`);
  });

  test('gives the first title that says something', async () => {
    const html = '<title> </title><title>The\n port</title><title>Other</title>x';
    expect((await htmlToMarkdown(html, 100)).title).toBe('The port');
  });

  test('cuts at the limit and counts the rest', async () => {
    expect(await htmlToMarkdown('<p>abc<p>def', 4)).toMatchObject({ text: 'abc\n', truncatedCharacters: 4 });
  });

  test('refuses elements nested past any page that is meant to be read', async () => {
    await expect(htmlToMarkdown('<div>'.repeat(3_001), 100)).rejects.toThrow(NestingError);
  });

  test('keeps the blocks of tables within tables in their order', async () => {
    const html =
      '<table><tr><td>a<table><tr><td>b<table><tr><td>c</table>d</table>e<table><tr><td>1<td>2</table></table>';
    expect(await markdown(html)).toBe('a\n\nb\n\nc\n\nd\n\ne\n\n| 1 | 2 |\n| --- | --- |');
  });

  test('a very wide row does not make wide rows of very many short ones', async () => {
    const html = `<table><tr>${'<td>x'.repeat(20_000)}${'<tr><td>y'.repeat(20_000)}</table>`;
    const { text, truncatedCharacters } = await htmlToMarkdown(html, 10_000_000);
    expect(truncatedCharacters).toBe(0);
    expect(text.split('\n')).toHaveLength(20_002);
    expect(text.endsWith('\n| y |')).toBe(true);
  });
});

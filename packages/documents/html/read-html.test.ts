import { expect, test } from 'vitest';
import { convertText } from '../test-support/fixtures.ts';

test.each([
  [
    'headings and paragraphs',
    '<h2>A  <em>b</em></h2><p>one\n two<br>three</p>tail',
    '## A b\n\none two\nthree\n\ntail',
  ],
  [
    'unclosed items and cells',
    '<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table>',
    '- a\n- b\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |',
  ],
  [
    'an item of several paragraphs',
    '<ol start=3><li><p>a</p><p>b</p><ul><li>c</li></ul></li><li>d</ol>',
    '3. a\n  b\n    - c\n4. d',
  ],
  ['code with its white space', '<pre>  if (a)\n    b &lt; c</pre>', '```\n  if (a)\n    b < c\n```'],
  [
    'links that lead somewhere',
    '<a href="https://a.b/(c)">x</a> <a href="#y">y</a> <a href="javascript:z()">z</a>',
    '[x](https://a.b/%28c%29) y z',
  ],
  [
    'images by their description',
    '<img alt="A crane" src="https://a.b/c.png"><img alt="" src="d.png">',
    '![A crane](https://a.b/c.png)',
  ],
  [
    'cells over several columns',
    '<table><tr><th colspan=2>A</th><th>B</th></tr><tr><td>1<td>2<td>3</table>',
    '| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
  ],
  [
    'a heading and a list in a cell',
    '<table><tr><td><h3>A</h3><ul><li>b</ul></td><td>c</td></tr></table>',
    '| A<br>- b | c |\n| --- | --- |',
  ],
  [
    'a table around tables as what it holds',
    '<table><tr><td><h1>T</h1></td><td><table><tr><td>1<td>2</table></td></tr></table>',
    '# T\n\n| 1 | 2 |\n| --- | --- |',
  ],
  ['quotes', '<blockquote><p>a</p></blockquote><p>b</p>', '> a\n\nb'],
  [
    'nothing of scripts, styles and hidden parts',
    '<script>var a</script><style>b{}</style><p hidden>c</p><svg><text>d</text></svg><p>e</p>',
    'e',
  ],
  ['entities', '<p>&eacute;&nbsp;&#8364; &amp;lt;</p>', 'é € &lt;'],
])('a web page shows %s', async (_, html, expected) => {
  expect((await convertText('.html', `<!doctype html><title>T</title><body>${html}`)).text).toBe(expected);
});

test('a table of any length keeps its rows', async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => `<tr><td>${index}<td>x`).join('');
  const { text } = await convertText('.htm', `<table><tr><th>n<th>v${rows}</table>end`);
  expect(text.split('\n')).toHaveLength(5_004);
  expect(text).toMatch(/^\| n \| v \|\n\| --- \| --- \|\n\| 0 \| x \|\n[\s\S]*\n\| 4999 \| x \|\n\nend$/);
});

test('the title of a page is its title, and no part of the text', async () => {
  const { text, title } = await convertText('.html', '<title>The\n port</title><p>a</p>');
  expect({ text, title }).toEqual({ text: 'a', title: 'The port' });
});

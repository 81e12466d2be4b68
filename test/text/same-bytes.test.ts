import { openDocument, openPage } from '@errand/agent/testing';
import { readInThread } from '@errand/documents';
import { answerWith, startServer } from '@errand/web/testing';
import { describe, expect, test } from 'vitest';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text);
const meta = (charset: string) => `<meta charset="${charset}">`;

/** What each tool reads at one address. */
async function readByBoth(name: string, contentType: string, body: Uint8Array) {
  await using server = await startServer(answerWith(contentType, body));
  const web = { allowedHosts: server.allowed };
  const deps = { web, documents: readInThread, documentConversionEnabled: true };
  const reading = { wholeCharacters: 1e6, shownCharacters: 1e6 };
  const url = `${server.url}/${name}`;
  const page = await openPage(deps)(url, reading, AbortSignal.timeout(20_000));
  const document = await openDocument(deps)(url, reading, AbortSignal.timeout(20_000));
  return { page: page.shown.text, document: document.shown.text };
}

describe('a page and a document of the same bytes say the same', () => {
  test.each([
    ['UTF-8 that its server calls something else', 'text/html; charset=iso-8859-1', utf8('<p>Zoë'), 'Zoë'],
    [
      'UTF-8 that itself says something else',
      'text/html',
      utf8(`${meta('windows-1251')}<p>Zoë, 価格`),
      'Zoë, 価格',
    ],
    ['the charset of the header', 'text/html; charset=windows-1251', latin1('<p>\xcf\xee\xf0\xf2'), 'Порт'],
    [
      'the header over the page',
      'text/html; charset=windows-1251',
      latin1(`${meta('koi8-r')}<p>\xcf\xee\xf0\xf2`),
      'Порт',
    ],
    ['the charset of the page', 'text/html', latin1(`${meta('windows-1251')}<p>\xcf\xee\xf0\xf2`), 'Порт'],
    ['seven bits that mean more', 'text/html; charset=iso-2022-jp', latin1('<p>\x1b$B9A\x1b(B'), '港'],
    [
      'a mark over the header',
      'text/html; charset=iso-8859-1',
      Buffer.from('\ufeff<p>Zoë', 'utf16le'),
      'Zoë',
    ],
    ['windows-1252, where nothing is said', 'text/html', latin1('<p>\x93Zo\xeb\x94'), '“Zoë”'],
    [
      'UTF-8 with a broken character',
      'text/html; charset=utf-8',
      Buffer.concat([utf8('<p>Zoë, 価格'), latin1('\xff')]),
      'Zoë, 価格\ufffd',
    ],
    [
      'windows-1252 that its server calls UTF-8',
      'text/html; charset=utf-8',
      latin1('<p>Gr\xf6\xdfe'),
      'Größe',
    ],
  ])('%s', async (_, contentType, body, expected) => {
    expect(await readByBoth('a.html', contentType, body)).toEqual({ page: expected, document: expected });
  });

  test.each([
    ['UTF-8 that its server calls something else', 'text/plain; charset=iso-8859-1', utf8('Zoë'), 'Zoë'],
    ['the charset of the header', 'text/plain; charset=shift_jis', latin1('\x8d`'), '港'],
    ['ASCII that its server calls UTF-16', 'text/plain; charset=utf-16le', utf8('Port'), 'Port'],
  ])('as plain text: %s', async (_, contentType, body, expected) => {
    expect(await readByBoth('a.txt', contentType, body)).toEqual({ page: expected, document: expected });
  });

  test('markdown of a table, code, links, headings and lists', async () => {
    const html =
      '<h2>A <a href="https://a.b/c">part</a></h2><p>Call <code>run()</code>, <b>now</b>.</p>' +
      '<ul><li>one<li>two</ul><pre>if (a)\n  b</pre><table><tr><th>x<th>y<tr><td>1<td>2</table><p>The end.';
    const { page, document } = await readByBoth('a.html', 'text/html', utf8(html));
    expect(document).toContain(
      '## A [part](https://a.b/c)\n\nCall `run()`, **now**.\n\n- one\n- two\n\n```\nif',
    );
    expect(document).toMatch(/\| x \| y \|\n\| --- \| --- \|\n\| 1 \| 2 \|\n\nThe end\.$/);
    expect(page).toBe(document);
  });
});

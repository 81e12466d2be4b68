import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHtml } from './article.ts';

const url = 'https://example.com/a/page';
const sentences = 'A sentence of the article, with commas, that is long enough to count. '.repeat(12);

const articlePage = (content: string) => `<!doctype html><html><head><title>The title | The site</title>
  <style>p { color: red }</style><script>var tracking = 1;</script></head><body>
  <nav class="menu"><ul><li><a href="/one">One</a></li><li><a href="/two">Two</a></li></ul></nav>
  <article><h1>The title</h1><p>${sentences}</p>${content}<p>${sentences}</p></article>
  <footer class="footer"><a href="/imprint">Imprint</a></footer></body></html>`;

const read = (html: string) => readHtml(html, url);

describe('readHtml', () => {
  it('gives the article with its title, without menus, styles and scripts', async () => {
    const { title, markdown } = await read(articlePage(''));
    expect(title).toMatch(/^The title/);
    expect(markdown).toContain('A sentence of the article, with commas');
    expect(markdown).not.toMatch(/Imprint|tracking|color: red|\/two/);
  });

  it('makes addresses of links and images absolute, and leaves out scripts and data URLs', async () => {
    const { markdown } = await read(
      articlePage(`<p>See <a href="../b?x=1">the other</a>, <a href="javascript:alert(1)">a trap</a>,
        <a href="#here">here</a> and <img src="pic.png" alt="a picture"> <img src="data:image/png;base64,AAAA"
        alt="inline"> <img data-src="/late.jpg" alt="a late one">. ${sentences}</p>`),
    );
    expect(markdown).toContain('[the other](https://example.com/b?x=1)');
    expect(markdown).toContain('![a picture](https://example.com/a/pic.png)');
    expect(markdown).toContain('![a late one](https://example.com/late.jpg)');
    expect(markdown).toMatch(/a trap,\s+here and/);
    expect(markdown).not.toMatch(/javascript:|base64/);
  });

  it('resolves links against the base that the page names', async () => {
    const { markdown } = await read(`<base href="//cdn.test/root/"><p>${sentences}<a href="x">x</a></p>`);
    expect(markdown).toContain('[x](https://cdn.test/root/x)');
  });

  it('writes headings, lists, code and tables', async () => {
    const { markdown } = await read(
      articlePage(`<h2>Part</h2><ul><li>first</li><li>second</li></ul>
        <pre><code>if (a &lt; b) {\n  \`\`\`run\`\`\`\n}</code></pre>
        <table><thead><tr><th>Name</th><th>Price</th></tr></thead>
        <tbody><tr><td>A|B</td><td>1</td></tr><tr><td>C</td><td></td></tr></tbody></table>`),
    );
    expect(markdown).toContain('## Part');
    expect(markdown).toMatch(/-\s+first\n-\s+second/);
    expect(markdown).toContain('````\nif (a < b) {\n  ```run```\n}\n````');
    expect(markdown).toContain('| Name | Price |\n| --- | --- |\n| A\\|B | 1 |\n| C |  |');
  });

  it('reads a table that lays out the page as the blocks in it', async () => {
    const { markdown } = await read(
      `<table><tr><td><h2>Left</h2><p>${sentences}</p></td><td><ul><li>right</li></ul></td></tr></table>`,
    );
    expect(markdown).toContain('## Left\n\nA sentence');
    expect(markdown).not.toContain('---');
  });

  it('gives the whole page if the page has no article', async () => {
    const { markdown } = await read('<title>T</title><body><a href="/x">Only a link</a></body>');
    expect(markdown).toBe('[Only a link](https://example.com/x)');
  });

  it('a page without text is empty, and has no title', async () => {
    expect(await read('')).toEqual({ title: undefined, markdown: '' });
    expect(await read('<script>1</script><svg><title>icon</title></svg>')).toEqual({
      title: undefined,
      markdown: '',
    });
  });

  it('entities, and text that looks like markdown, come through', async () => {
    const { markdown } = await read(`<p>${sentences} caf&eacute; &amp; &lt;b&gt; *stars* &#128512;</p>`);
    expect(markdown).toContain('café & <b> *stars* 😀');
  });

  it('a page of very many elements is read to its end, and one that is nested past its bound says that it goes on', async () => {
    const whole = await read(`${'<p>word</p>'.repeat(100_000)}<p>the last one</p>`);
    expect(whole.markdown).toMatch(/\nthe last one$/);
    const nested = await read(`<p>first</p>${'<i>'.repeat(3_000)}<p>the last one</p>`);
    expect(nested.markdown).toMatch(/^first\n\n\[The page goes on; the rest was not read\.\]$/);
  });

  it('text nested past the depth that is kept is still read', async () => {
    const { markdown } = await read(`${'<div>'.repeat(1_500)}deep${'</div>'.repeat(1_500)}<p>after</p>`);
    expect(markdown).toMatch(/deep\s+after/);
  });

  it.each([
    ['nested elements', '<div>'.repeat(200_000)],
    ['closing tags of nothing', '<div>'.repeat(100_000) + '</span>'.repeat(200_000)],
    ['angle brackets', '<'.repeat(1_000_000)],
    ['nested tables', '<table><tr><td>x'.repeat(5_000)],
    ['nested lists', '<ul><li>x'.repeat(5_000)],
    ['comments', '<!--'.repeat(300_000)],
    ['attributes', `<p ${Array.from({ length: 50_000 }, (_, index) => `a${index}=1`).join(' ')}>x`],
  ])('a page made to hang its reader with %s is read to an end', async (_with, html) => {
    expect(typeof (await read(html)).markdown).toBe('string');
  });

  it('no mix of tags, however broken, makes it fail', async () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<div>',
        '</div>',
        '<table>',
        '<tr>',
        '<td>',
        '</table>',
        '<ul>',
        '<li>',
        '<pre>',
        '</pre>',
      ],
      ...[
        '<a href="x">',
        '</a>',
        '<h1>',
        '<svg>',
        '</svg>',
        '<script>',
        '</script>',
        '<head>',
        '<body>',
        '</body>',
      ],
      ...[
        '<title>',
        '</title>',
        '<base href="%">',
        '<br>',
        '<img src="i">',
        '<template>',
        '<',
        '&',
        'text ',
        '<x:y>',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        expect(typeof (await read(pieces.join(''))).markdown).toBe('string');
      }),
      { numRuns: 150 },
    );
  });
});

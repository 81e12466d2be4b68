import { expect, test } from 'vitest';
import { createScreen } from '../../scripts/pictures/screen.ts';
import { writeSvg } from '../../scripts/pictures/write-svg.ts';

/** The text of the rows after the output, on a screen of 10 columns and 3 rows. */
function rowsAfter(output: string): string[] {
  const screen = createScreen(10, 3);
  screen.write(output);
  return screen.rows().map((spans) => spans.map(({ text }) => text).join(''));
}

test.each([
  ['a line that is too long goes on in the next row', 'abcdefghijkl', ['abcdefghij', 'kl']],
  ['the screen scrolls', '1\r\n2\r\n3\r\n4', ['2', '3', '4']],
  ['a bar is drawn over itself', '10%\r50%\r\x1b[K100%', ['100%']],
  ['a spinner goes away', 'work\r\n\x1b[1A\x1b[2Kdone', ['done', '']],
  ['titles of windows and unknown sequences show nothing', '\x1b]0;title\x07a\x1b[?25lb', ['ab']],
])('%s', (_what, output, rows) => {
  expect(rowsAfter(output)).toEqual(rows);
});

test('colours of a recording are those in which its characters were written', () => {
  const screen = createScreen(20, 3);
  screen.write('\x1b[1;32mok\x1b[39m so\x1b[0m on');
  expect(screen.rows()).toEqual([
    [
      { text: 'ok', style: '1;32' },
      { text: ' so', style: '1' },
      { text: ' on', style: '' },
    ],
  ]);
});

test('a picture shows each row for as long as the terminal did, and escapes its text', () => {
  const row = (text: string) => [[{ text, style: '' }]];
  const svg = writeSvg(
    [
      { atSeconds: 0, rows: row('<script>') },
      { atSeconds: 2, rows: row('second') },
    ],
    { columns: 20, height: 3 },
    'Two rows',
  );
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&#60;script&#62;');
  expect(svg).toContain('@keyframes k0{0.000%{visibility:visible}25.000%,100%{visibility:hidden}}');
  expect(svg).toContain(
    '@keyframes k1{0%{visibility:hidden}25.000%{visibility:visible}100%{visibility:visible}}',
  );
});

test('a picture begins with its first frame, and rests on its last where nothing moves', () => {
  const row = (text: string) => [[{ text, style: '' }]];
  const frames = [
    { atSeconds: 3, rows: row('first') },
    { atSeconds: 5, rows: row('last') },
  ];
  const svg = writeSvg(frames, { columns: 20, height: 3 }, 'Two frames');
  expect(svg).toContain('@keyframes k0{0.000%{visibility:visible}');
  const [still = '', moving = ''] = svg.split('@media(prefers-reduced-motion:no-preference){');
  expect(still).toContain('text{');
  expect(still).toContain('visibility:hidden}.rest{visibility:visible}');
  expect(still).not.toContain('animation');
  expect(moving).toContain('.t1{animation:k1');
  expect(svg.match(/<text class="([^"]*)"/g)).toEqual(['<text class="t0"', '<text class="t1 rest"']);
});

import { describe, expect, test } from 'vitest';
import { convertFixture } from './test-support/fixtures.ts';

const table =
  '| Month | Ships | Tonnage |\n| --- | --- | --- |\n| January | 12 | 3,400 |\n| February | 15 | 4,100 |';
const boldTable = table.replace(/Month|Ships|Tonnage/g, '**$&**');
const steps = '1. First step\n2. Second step\n    - nested point\n    - another point\n3. Third step\n';
const bullets = '- plain bullet\n- second bullet';
const opening =
  'Opening words with **bold**, *italic* and a [link to the port](https://example.com/port). Umlauts: Größe, naïve, 価格, €.';

describe('a report written by LibreOffice or pandoc', () => {
  test.each([
    'office.docx',
    'pandoc.docx',
    'office.odt',
    'office.rtf',
    'pandoc.rtf',
    'pandoc.epub',
    'pandoc.html',
  ])('%s keeps headings, emphasis, links, lists, the table and the footnote', async (name) => {
    const { text } = await convertFixture(name);
    expect(text).toContain('# Harbour Report\n\n' + opening);
    expect(text).toMatch(/^## Ships by month\n\n\|/m);
    expect(text).toMatch(/^### Detail\n\nA quote follows\.\n\n(> )?Said by the harbour master\.\n/m);
    expect(text).toContain(name === 'office.rtf' ? boldTable : table);
    expect(text).toContain(steps + bullets);
    expect(text).toMatch(/(\[\^\d+\]:|1\.) The footnote text\./);
    expect(text).not.toContain('characters were cut');
  });

  test.each([
    'office.docx',
    'pandoc.docx',
    'office.odt',
    'office.rtf',
    'pandoc.epub',
    'pandoc.html',
    'office.pdf',
  ])('%s gives its title', async (name) => {
    expect((await convertFixture(name)).title).toBe('Harbour Report');
  });

  test('office.pdf keeps headings by their size, lists by their marks and the table by its columns', async () => {
    const { text, pages } = await convertFixture('office.pdf');
    expect(pages).toBe(1);
    expect(text).toMatch(
      /^# Harbour Report\n\nOffice\n\n## Harbour Report\n\nOpening words with bold, italic and a \[link to the port\]\(https:\/\/example\.com\/port\)\. Umlauts: Größe, naïve/,
    );
    expect(text).toContain('### Ships by month\n\n' + table);
    expect(text).toContain(steps + bullets);
  });
});

describe('slides', () => {
  test.each(['office.pptx', 'pandoc.pptx', 'office.odp'])(
    '%s become sections with number and title, with lists, links, tables and notes',
    async (name) => {
      const { text, pages, title } = await convertFixture(name);
      expect({ pages, title }).toEqual({ pages: 3, title: 'Harbour Plans' });
      expect(text).toBe(
        [
          '## Slide 1: Harbour Plans',
          '## Slide 2: Why we dredge',
          '- Larger ships need 14 m\n    - today 12.5 m\n- See [the chart](https://example.com/chart)',
          '### Notes',
          'Say that the tender closes in May.',
          '## Slide 3: Costs',
          '| Item | Million EUR |\n| --- | --- |\n| Dredging | 12.5 |\n| Quay | 8 |',
        ].join('\n\n'),
      );
    },
  );
});

describe('spreadsheets', () => {
  test.each(['office.xlsx', 'office.ods'])(
    '%s become one table per sheet, with names, dates, percentages, results of formulas and escaped bars',
    async (name) => {
      const { text } = await convertFixture(name);
      expect(text).toBe(
        [
          '## Sheet: Berths',
          '| Ship | Arrived | Load | Share |\n| --- | --- | --- | --- |\n| Größe \\| Eins | 2026-03-09 | 1234.5 | 12.5% |\n' +
            '| Second | 2026-04-01 | 2469 | TRUE |',
          '## Sheet: Cranes & tugs',
          '| Name | Tonnes |\n| --- | --- |\n| North | 40 |',
        ].join('\n\n'),
      );
    },
  );
});

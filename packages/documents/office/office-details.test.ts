import { describe, expect, test } from 'vitest';

import { convertText, readWhole } from '../test-support/fixtures.ts';
import { makeDocx } from '../test-support/zip-file.ts';
import { columnIndex, numberFormat, numberText } from './xlsx-values.ts';

async function convertDocx(body: string, styles = '') {
  const more = styles ? [{ name: 'word/styles.xml', content: `<w:styles>${styles}</w:styles>` }] : [];
  return (await readWhole({ bytes: makeDocx(body, more), extension: '.docx' })).text;
}

describe('a Word document', () => {
  test('has a heading for a style made from one, and for an outline level', async () => {
    const styles =
      '<w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>' +
      '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style>';
    const body =
      '<w:p><w:pPr><w:pStyle w:val="Mine"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p>' +
      '<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>B</w:t></w:r></w:p>';
    expect(await convertDocx(body, styles)).toBe('## A\n\n### B');
  });

  test('shows what was inserted and not what was deleted, moved away or hidden', async () => {
    const body =
      '<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>' +
      '<w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>';
    expect(await convertDocx(body)).toBe('new');
  });

  test('shows the text of a box once, and the link of a field', async () => {
    const body =
      '<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice>' +
      '<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r></w:p>' +
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> HYPERLINK "https://a.b/" </w:instrText>' +
      '<w:fldChar w:fldCharType="separate"/><w:t>there</w:t><w:fldChar w:fldCharType="end"/><w:t> it is</w:t></w:r></w:p>';
    expect(await convertDocx(body)).toBe('box\n\n[there](https://a.b/) it is');
  });

  test('keeps cells that span columns in their place', async () => {
    const cell = (text: string, span = 1) =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const body = `<w:tbl><w:tr>${cell('A', 2)}${cell('B')}</w:tr><w:tr>${cell('1')}${cell('2')}${cell('3')}</w:tr></w:tbl>`;
    expect(await convertDocx(body)).toBe('| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |');
  });
});

describe('a cell of a workbook', () => {
  test.each([
    ['45000', 14, undefined, '2023-03-15'],
    ['45000.75', 22, undefined, '2023-03-15 18:00:00'],
    ['0.5', 20, undefined, '12:00:00'],
    ['0.125', 10, undefined, '12.5%'],
    ['0.30000000000000004', 0, undefined, '0.3'],
    ['45000', 164, 'dd/mm/yyyy;@', '2023-03-15'],
    ['45000', 164, '#,##0.00 "days"', '45000'],
    ['45000', 164, '[Red]#,##0_);\\d', '45000'],
    ['1e300', 14, undefined, '1e+300'],
    ['abc', 0, undefined, 'abc'],
  ])('%s with format %i %j is %s', (raw, id, code, expected) => {
    expect(numberText(raw, numberFormat(id, code), false)).toBe(expected);
  });

  test('counts days from 1904 where the workbook does, and knows its column', () => {
    expect(numberText('1', 'date', true)).toBe('1904-01-02');
    expect(['A1', 'Z9', 'AA1', 'XFD1048576'].map(columnIndex)).toEqual([0, 25, 26, 16_383]);
    expect(columnIndex('')).toBe(-1);
  });
});

describe('rich text', () => {
  test.each([
    ["{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'ee\\'f0\\'f2}", 'Порт'],
    ["{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 M;}}\\f0 \\'93\\'fa\\'96\\'7b}", '日本'],
    ['{\\rtf1\\uc1 \\u20385?\\u26684?\\uc0\\u-10179\\u-8694 !}', '価格😊!'],
    ['{\\rtf1{\\*\\unknown secret}{\\pict 0102}a{\\v hidden}\\b b\\b0\\par\\bin4 }{}{c}', 'a**b**\n\nc'],
    [
      '{\\rtf1\\trowd\\intbl a\\cell b\\cell\\row\\trowd\\intbl c\\cell d\\cell\\row\\pard e}',
      '| a | b |\n| --- | --- |\n| c | d |\n\ne',
    ],
    ['{\\rtf1 never closed', 'never closed'],
  ])('%s reads %j', async (source, expected) => {
    expect((await convertText('.rtf', source, 'latin1')).text).toBe(expected);
  });
});

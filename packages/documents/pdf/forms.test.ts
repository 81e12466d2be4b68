import { describe, expect, test } from 'vitest';
import { readWhole } from '../test-support/fixtures.ts';

import { makePdfOf, pdfText } from '../test-support/pdf-file.ts';

interface Field {
  left: number;
  bottom: number;
  width?: number;
  height?: number;
  entries: string;
}

const widget = ({ left, bottom, width = 150, height = 15, entries }: Field): string =>
  `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${left} ${bottom} ${left + width} ${bottom + height}] ${entries} >>`;

const box = (left: number, bottom: number, entries: string): string =>
  widget({ left, bottom, width: 12, height: 12, entries: `/FT /Btn ${entries}` });

const states = '/AP << /N << /Yes null /Off null >> >>';

async function convert(content: string, annotations: string[]): Promise<string> {
  return (await readWhole({ bytes: makePdfOf([{ data: content, annotations }]), extension: '.pdf' })).text;
}

describe('what was filled into a PDF form', () => {
  test('stands beside the text of its line', async () => {
    const content =
      pdfText('Given name:', 50, 700) + pdfText('Country:', 50, 650) + pdfText('Thank you.', 50, 500);
    const text = await convert(content, [
      widget({ left: 150, bottom: 696, entries: '/FT /Tx /T (a) /V (Ada Lovelace)' }),
      widget({
        left: 150,
        bottom: 646,
        entries: '/FT /Ch /T (b) /V (nl) /Opt [[(nl) (Netherlands)] [(be) (Belgium)]]',
      }),
    ]);
    expect(text).toContain('Given name:');
    expect(text.indexOf('Ada Lovelace')).toBeGreaterThan(text.indexOf('Given name:'));
    expect(text.indexOf('Ada Lovelace')).toBeLessThan(text.indexOf('Country:'));
    expect(text.indexOf('Netherlands')).toBeLessThan(text.indexOf('Thank you.'));
  });

  test('is named by its tooltip where no text is beside it, with its lines as they are', async () => {
    const text = await convert(pdfText('Form', 50, 750), [
      widget({
        left: 50,
        bottom: 600,
        height: 60,
        entries: '/FT /Tx /Ff 4096 /T (a) /TU (Remarks) /V (one\\rtwo)',
      }),
    ]);
    expect(text).toMatch(/Form\s+Remarks: one\s+two/);
  });

  test('is shown for boxes that are ticked and those that are not', async () => {
    const content = pdfText('Married', 70, 700) + pdfText('Retired', 70, 680);
    const text = await convert(content, [
      box(50, 699, `/T (a) /V /Yes /AS /Yes ${states}`),
      box(50, 679, `/T (b) /V /Off /AS /Off ${states}`),
    ]);
    expect(text).toBe('☑ Married\n\n☐ Retired');
  });

  test('is left out of hidden fields and passwords, which no reader sees', async () => {
    const text = await convert(pdfText('Sign in', 50, 700), [
      widget({ left: 150, bottom: 696, entries: '/FT /Tx /Ff 8192 /T (a) /V (secret)' }),
      widget({ left: 150, bottom: 646, entries: '/FT /Tx /T (b) /V (unseen)' }).replace('/F 4', '/F 2'),
    ]);
    expect(text).toBe('Sign in');
  });

  test('does not count as text in a scan, if it is boxes alone', async () => {
    const scan = convert('', [box(50, 700, `/T (a) /V /Yes /AS /Yes ${states}`)]);
    await expect(scan).rejects.toThrow('No text was found on the page of the .pdf file');
  });
});

test('a note that was written onto the page is read', async () => {
  const note =
    '<< /Type /Annot /Subtype /FreeText /F 4 /Rect [50 600 200 620] /Contents (Call me back) /DA (/F 10 Tf) >>';
  expect(await convert(pdfText('Letter', 50, 700), [note])).toBe('Letter\n\nCall me back');
});

import { expect, test } from 'vitest';
import { readWhole } from '../test-support/fixtures.ts';

import { makePdfOf } from '../test-support/pdf-file.ts';

/** A font that is not embedded. Only the name of its encoding tells what its codes mean. */
const font = (encoding: string, ordering: string): string =>
  `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X` +
  `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>` +
  '/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontBBox[0 -200 1000 900]/Ascent 800/Descent -200>>>>]>>';

async function read(encoding: string, ordering: string, codes: string): Promise<string> {
  const page = { data: `BT /X 12 Tf 72 700 Td <${codes}> Tj ET`, fonts: { X: font(encoding, ordering) } };
  return (await readWhole({ bytes: makePdfOf([page]), extension: '.pdf' })).text;
}

test.each([
  ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea 41 b1', '日本語Aｱ'],
  ['EUC-H', 'Japan1', 'c6fccbdcb8ec', '日本語'],
  ['UniJIS-UTF16-H', 'Japan1', '65e5672c8a9e', '日本語'],
  ['GBK-EUC-H', 'GB1', 'd6d0b9fa 32', '中国2'],
  ['ETen-B5-H', 'CNS1', 'a4a4b5d8', '中華'],
  ['KSCms-UHC-H', 'Korea1', 'c7d1b1b9', '한국'],
])('%s of %s is read without a table of its codes', async (encoding, ordering, codes, expected) => {
  expect(await read(encoding, ordering, codes)).toBe(expected);
});

test('character ids (CIDs) are not taken for Unicode characters', async () => {
  await expect(read('Identity-H', 'Japan1', '04d20162')).rejects.toThrow('No text was found');
});

import { expect, test } from 'vitest';
import { readWhole } from '../test-support/fixtures.ts';

import { makeDocx, makeZip } from '../test-support/zip-file.ts';

const paragraph = '<w:p><w:r><w:t>Words</w:t></w:r></w:p>';
const relationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

async function textOf(bytes: Uint8Array, extension = '.docx'): Promise<string> {
  return (await readWhole({ bytes, extension })).text;
}

function relationships(...targets: [id: string, type: string, target: string][]): string {
  const all = targets.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${relationshipType}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${all.join('')}</Relationships>`;
}

test.each([1, 300])('%i extra bytes at the end of a zip file are ignored', async (count) => {
  const bytes = Buffer.concat([makeDocx(paragraph), Buffer.alloc(count)]);
  expect(await textOf(bytes)).toBe('Words');
});

test('a zip file whose header announces a missing comment is read', async () => {
  const bytes = makeDocx(paragraph);
  bytes[bytes.length - 2] = 1;
  expect(await textOf(bytes)).toBe('Words');
});

test('a Word document whose main part stands elsewhere is found by the relation that names it', async () => {
  const bytes = makeZip([
    { name: '_rels/.rels', content: relationships(['rId1', 'officeDocument', 'word/document2.xml']) },
    { name: 'word/document2.xml', content: `<w:document><w:body>${paragraph}</w:body></w:document>` },
  ]);
  expect(await textOf(bytes)).toBe('Words');
});

test('a workbook with names of another case, backslashes and a prefix of its own is read', async () => {
  const bytes = makeZip([
    { name: 'xl\\_rels\\workbook.xml.rels', content: relationships(['rId1', 'worksheet', '/xl/Sheet1.xml']) },
    {
      name: 'xl\\Workbook.xml',
      content: '<workbook><sheets><sheet name="First" sheetId="1" d3p1:id="rId1"/></sheets></workbook>',
    },
    { name: 'xl\\sheet1.xml', content: '<worksheet><row><c><v>7</v></c></row></worksheet>' },
  ]);
  expect(await textOf(bytes, '.xlsx')).toContain('## Sheet: First\n\n| 7 |');
});

import { makeDocx, makeZip, type ZipMember } from '@errand/documents/testing';
import { escapeMarkup } from './material.ts';

const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relationships = (parts: readonly { type: string; target: string }[]): string =>
  `<Relationships>${parts
    .map(
      ({ type, target }, index) =>
        `<Relationship Id="rId${index + 1}" Type="${relationshipTypes}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** A Word document. A line that begins with `# ` is a heading. */
export function makeWord(lines: Iterable<string>): Uint8Array {
  let body = '';
  for (const line of lines) {
    const isHeading = line.startsWith('# ');
    const style = isHeading ? '<w:pPr><w:pStyle w:val="H"/></w:pPr>' : '';
    const text = escapeMarkup(isHeading ? line.slice(2) : line);
    body += `<w:p>${style}<w:r><w:t>${text}</w:t></w:r></w:p>`;
  }
  const styles =
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
    '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>';
  return makeDocx(body, [{ name: 'word/styles.xml', content: styles }]);
}

/** A presentation with a slide for each list of lines, the first of which is the title. */
export function makeSlides(slides: readonly (readonly string[])[]): Uint8Array {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('');
  const members: ZipMember[] = [
    { name: 'ppt/presentation.xml', content: `<p:presentation>${ids}</p:presentation>` },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: relationships(
        slides.map((_, index) => ({ type: 'slide', target: `slides/slide${index + 1}.xml` })),
      ),
    },
  ];
  for (const [index, [title = '', ...lines]] of slides.entries())
    members.push({
      name: `ppt/slides/slide${index + 1}.xml`,
      content: `<p:sld><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><a:p><a:r><a:t>${escapeMarkup(title)}</a:t></a:r></a:p></p:sp><p:sp>${lines
        .map((line) => `<a:p><a:r><a:t>${escapeMarkup(line)}</a:t></a:r></a:p>`)
        .join('')}</p:sp></p:sld>`,
    });
  return makeZip(members);
}

/** A workbook with one sheet of texts. */
export function makeWorkbook(sheet: string, rows: readonly (readonly string[])[]): Uint8Array {
  const cells = (row: readonly string[]) =>
    row.map((cell) => `<c t="inlineStr"><is><t>${escapeMarkup(cell)}</t></is></c>`).join('');
  return makeZip([
    {
      name: 'xl/workbook.xml',
      content: `<workbook><sheets><sheet name="${escapeMarkup(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships([{ type: 'worksheet', target: 'worksheets/sheet1.xml' }]),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet><sheetData>${rows.map((row) => `<row>${cells(row)}</row>`).join('')}</sheetData></worksheet>`,
    },
  ]);
}

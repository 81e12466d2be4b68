/** A PDF with one page for each list of lines, set in 12 point Helvetica; a page without lines is blank. */
export function makePdf(pages: readonly (readonly string[])[]): Uint8Array {
  const contents = pages.map((lines) => {
    const operators = lines.map((line) => `(${line}) Tj 0 -16 Td`).join('\n');
    return { data: `BT /F1 12 Tf 72 760 Td ${operators} ET` };
  });
  return makePdfOf(contents);
}

interface PdfPageSource {
  /** The content stream. Its characters must be below U+0100, since each becomes one byte. */
  data: string;
  filter?: string;
  /** Annotation dictionaries, in PDF's syntax. */
  annotations?: readonly string[];
  /** Fonts besides `F1`, which is Helvetica. */
  fonts?: Readonly<Record<string, string>>;
}

/** Text at a place of the page, in points from its lower left corner. */
export const pdfText = (text: string, x: number, y: number): string =>
  `BT /F1 11 Tf ${x} ${y} Td (${text}) Tj ET\n`;

/** A PDF with a page for each content stream. */
export function makePdfOf(contents: readonly PdfPageSource[]): Uint8Array {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '', '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'];
  const kids: string[] = [];
  for (const { filter = '', data, annotations = [], fonts = {} } of contents) {
    objects.push(`<</Length ${data.length}${filter}>>stream\n${data}\nendstream`);
    const more = Object.entries(fonts).map(([name, font]) => `/${name} ${font}`);
    const resources = `/Resources<</Font<</F1 3 0 R${more.join('')}>>>>/Annots[${annotations.join(' ')}]`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${resources}/Contents ${objects.length} 0 R>>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`;
  let text = '%PDF-1.4\n';
  let references = '';
  for (const [index, object] of objects.entries()) {
    references += `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${references}trailer<</Size ${size}/Root 1 0 R>>`;
  return new Uint8Array(Buffer.from(`${text}${table}\nstartxref\n${text.length}\n%%EOF`, 'latin1'));
}

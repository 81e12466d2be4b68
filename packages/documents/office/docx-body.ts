import type { BlockStyle, MarkdownWriter } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/xml-events.ts';
import type { NextMarker } from './docx-numbering.ts';
import type { ParagraphStyle } from './docx-styles.ts';
import { type Relationship, relationshipId } from './relationships.ts';

export interface DocxParts {
  styles: ReadonlyMap<string, ParagraphStyle>;
  nextMarker: NextMarker;
  relationships: ReadonlyMap<string, Relationship>;
}

/** What Word keeps beside the shown text: text that was moved away, second renderings, comments' marks. */
const skippedElements = new Set([
  'Fallback',
  'moveFrom',
  'del',
  'sectPr',
  'rPrChange',
  'pPrChange',
  'tblPrChange',
]);
const maximumSpan = 63;

interface Field {
  instruction: string;
  showsResult: boolean;
}

function isOn(attributes: Attributes): boolean {
  return !['0', 'false', 'off'].includes(attributes['w:val'] ?? '1');
}

/** Turns the events of `word/document.xml`, or of the notes, into blocks. */
export function createDocxHandler(writer: MarkdownWriter, parts: DocxParts): XmlHandler {
  const fields: Field[] = [];
  const links: (string | undefined)[] = [];
  const spans: number[] = [];
  let paragraph: ParagraphStyle = {};
  let run = { bold: false, italic: false, hidden: false };
  let begun = true;
  let inParagraphProperties = false;
  let inRunProperties = false;
  let textElement: 't' | 'instrText' | undefined;
  let skipped = 0;

  function blockStyle(): BlockStyle {
    if (paragraph.headingLevel) return { kind: 'heading', level: paragraph.headingLevel };
    const { numberingId, listLevel = 0 } = paragraph;
    if (!numberingId || numberingId === '0') return { kind: 'paragraph' };
    const depth = Math.min(Math.max(listLevel || 0, 0), 8);
    const marker = parts.nextMarker(numberingId, depth);
    return marker === undefined ? { kind: 'paragraph' } : { kind: 'item', depth, marker };
  }

  function begin(): void {
    if (!begun) writer.begin(blockStyle());
    begun = true;
  }

  function text(value: string): void {
    begin();
    const field = fields.at(-1);
    const fieldLink = /^\s*HYPERLINK\s+"([^"]+)"/.exec(field?.instruction ?? '')?.[1];
    const link = links.at(-1) ?? fieldLink;
    if (!run.hidden) writer.text(value, { bold: run.bold, italic: run.italic, ...(link && { link }) });
  }

  function openParagraphProperty(name: string, value: string): void {
    if (name === 'pStyle') paragraph = { ...parts.styles.get(value), ...paragraph };
    else if (name === 'numId') paragraph.numberingId = value;
    else if (name === 'ilvl') paragraph.listLevel = Number(value);
    else if (name === 'outlineLvl' && Number(value) < 9) paragraph.headingLevel = Number(value) + 1;
  }

  function openRunProperty(name: string, attributes: Attributes): void {
    if (name === 'b') run.bold = isOn(attributes);
    else if (name === 'i') run.italic = isOn(attributes);
    else if (name === 'vanish') run.hidden = isOn(attributes);
  }

  function openField(kind: string | undefined): void {
    const field = fields.at(-1);
    if (kind === 'begin') fields.push({ instruction: '', showsResult: false });
    else if (kind === 'separate' && field) field.showsResult = true;
    else if (kind === 'end') fields.pop();
  }

  function openTableElement(name: string, attributes: Attributes): void {
    if (name === 'tbl') writer.openTable();
    else if (name === 'tr') writer.openRow();
    else if (name === 'tc') {
      spans.push(1);
      writer.openCell();
    } else if (name === 'gridSpan' && spans.length > 0) {
      spans[spans.length - 1] = Math.min(Math.max(Number(attributes['w:val']) || 1, 1), maximumSpan);
    }
  }

  function closeCell(): void {
    writer.closeCell();
    for (let extra = (spans.pop() ?? 1) - 1; extra > 0; extra -= 1) {
      writer.openCell();
      writer.closeCell();
    }
  }

  function openInline(name: string, attributes: Attributes): void {
    if (name === 't' || name === 'instrText') textElement = name;
    else if (name === 'tab') text(' ');
    else if (name === 'br' || name === 'cr') text('\n');
    else if (name === 'noBreakHyphen') text('-');
    else if (name === 'hyperlink') links.push(parts.relationships.get(relationshipId(attributes))?.address);
    else if (name === 'fldChar') openField(attributes['w:fldCharType']);
    else if (name === 'footnoteReference') text(`[^${attributes['w:id']}]`);
    else if (name === 'endnoteReference') text(`[^e${attributes['w:id']}]`);
    else if (name === 'docPr' && attributes.descr?.trim()) text(`![${attributes.descr.trim()}]`);
    else openTableElement(name, attributes);
  }

  return {
    open(name, attributes) {
      if (skipped > 0 || skippedElements.has(name)) skipped += 1;
      else if (name === 'pPr') inParagraphProperties = true;
      else if (name === 'rPr') inRunProperties = true;
      else if (inParagraphProperties) openParagraphProperty(name, attributes['w:val'] ?? '');
      else if (inRunProperties) openRunProperty(name, attributes);
      else if (name === 'p') {
        paragraph = {};
        begun = false;
      } else if (name === 'r') run = { bold: false, italic: false, hidden: false };
      else openInline(name, attributes);
    },
    close(name) {
      if (skipped > 0) skipped -= 1;
      else if (name === 'pPr') inParagraphProperties = false;
      else if (name === 'rPr') inRunProperties = false;
      else if (name === 'p') writer.end();
      else if (name === 'tc') closeCell();
      else if (name === 'tbl') writer.closeTable();
      else if (name === 'hyperlink') links.pop();
      else if (name === textElement) textElement = undefined;
    },
    text(value) {
      if (skipped > 0) return;
      if (textElement === 't') text(value);
      else if (textElement === 'instrText' && fields.length > 0) fields.at(-1)!.instruction += value;
    },
  };
}

import type { BlockStyle, MarkdownWriter } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/read-xml.ts';
import { addInstruction, type HyperlinkField } from '../hyperlink-field.ts';
import type { NextMarker } from './docx-numbering.ts';
import type { ParagraphStyle } from './docx-styles.ts';
import { type Relationship, relationshipId } from './relationships.ts';

export interface DocxParts {
  styles: ReadonlyMap<string, ParagraphStyle>;
  nextMarker: NextMarker;
  relationships: ReadonlyMap<string, Relationship>;
}

/** The reader's position in the body. */
interface BodyState {
  writer: MarkdownWriter;
  parts: DocxParts;
  fields: HyperlinkField[];
  links: (string | undefined)[];
  /** The number of columns that each open cell spans. */
  spans: number[];
  paragraph: ParagraphStyle;
  run: { bold: boolean; italic: boolean; hidden: boolean };
  /** Whether the paragraph has begun in the writer. It begins with its first text, after its properties. */
  begun: boolean;
  inParagraphProperties: boolean;
  inRunProperties: boolean;
  textElement: 't' | 'instrText' | undefined;
  /** The number of open elements from the skipped one inwards; 0 if none is skipped. */
  skipped: number;
}

/** Elements that are not shown: moved or deleted text, alternative renderings, earlier properties. */
const skippedElements = new Set([
  'Fallback',
  'moveFrom',
  'del',
  'sectPr',
  'rPrChange',
  'pPrChange',
  'tblPrChange',
]);
const hyperlink = /^\s*HYPERLINK\s+"([^"]+)"/;
const maximumSpan = 63;
const deepestList = 8;

/** Turns the events of `word/document.xml`, or of the parts that hold notes, into blocks. */
export function createDocxHandler(writer: MarkdownWriter, parts: DocxParts): XmlHandler {
  const state: BodyState = {
    writer,
    parts,
    fields: [],
    links: [],
    spans: [],
    paragraph: {},
    run: { bold: false, italic: false, hidden: false },
    begun: true,
    inParagraphProperties: false,
    inRunProperties: false,
    textElement: undefined,
    skipped: 0,
  };
  return {
    open: (name, attributes) => openElement(state, name, attributes),
    close: (name) => closeElement(state, name),
    text: (value) => readText(state, value),
  };
}

function openElement(state: BodyState, name: string, attributes: Attributes): void {
  if (state.skipped > 0 || skippedElements.has(name)) state.skipped++;
  else if (name === 'pPr') state.inParagraphProperties = true;
  else if (name === 'rPr') state.inRunProperties = true;
  else if (state.inParagraphProperties) openParagraphProperty(state.paragraph, name, attributes, state.parts);
  else if (state.inRunProperties) openRunProperty(state.run, name, attributes);
  else if (name === 'p') {
    state.paragraph = {};
    state.begun = false;
  } else if (name === 'r') state.run = { bold: false, italic: false, hidden: false };
  else openInline(state, name, attributes);
}

function closeElement(state: BodyState, name: string): void {
  if (state.skipped > 0) state.skipped--;
  else if (name === 'pPr') state.inParagraphProperties = false;
  else if (name === 'rPr') state.inRunProperties = false;
  else if (name === 'p') state.writer.end();
  else if (name === 'tc') closeCell(state);
  else if (name === 'tbl') state.writer.closeTable();
  else if (name === 'hyperlink') state.links.pop();
  else if (name === state.textElement) state.textElement = undefined;
}

function readText(state: BodyState, value: string): void {
  if (state.skipped > 0) return;
  const field = state.fields.at(-1);
  if (state.textElement === 't') writeText(state, value);
  else if (state.textElement === 'instrText' && field) addInstruction(field, value, hyperlink);
}

function writeText(state: BodyState, value: string): void {
  if (!state.begun) state.writer.begin(blockStyle(state));
  state.begun = true;
  const { bold, italic, hidden } = state.run;
  const link = state.links.at(-1) ?? state.fields.at(-1)?.link;
  if (!hidden) state.writer.text(value, { bold, italic, link: link || undefined });
}

function blockStyle({ paragraph, parts }: BodyState): BlockStyle {
  const { headingLevel, numberingId, listLevel = 0 } = paragraph;
  if (headingLevel) return { kind: 'heading', level: headingLevel };
  if (!numberingId || numberingId === '0') return { kind: 'paragraph' };
  const depth = Math.min(Math.max(listLevel || 0, 0), deepestList);
  const marker = parts.nextMarker(numberingId, depth);
  return marker === undefined ? { kind: 'paragraph' } : { kind: 'item', depth, marker };
}

function openParagraphProperty(
  paragraph: ParagraphStyle,
  name: string,
  attributes: Attributes,
  { styles }: DocxParts,
): void {
  const value = attributes['w:val'] ?? '';
  if (name === 'pStyle') Object.assign(paragraph, { ...styles.get(value), ...paragraph });
  else if (name === 'numId') paragraph.numberingId = value;
  else if (name === 'ilvl') paragraph.listLevel = Number(value);
  else if (name === 'outlineLvl' && Number(value) < 9) paragraph.headingLevel = Number(value) + 1;
}

function openRunProperty(run: BodyState['run'], name: string, attributes: Attributes): void {
  const isOn = !['0', 'false', 'off'].includes(attributes['w:val'] ?? '1');
  if (name === 'b') run.bold = isOn;
  else if (name === 'i') run.italic = isOn;
  else if (name === 'vanish') run.hidden = isOn;
}

function openInline(state: BodyState, name: string, attributes: Attributes): void {
  const shown = shownText(name, attributes);
  if (shown !== undefined) writeText(state, shown);
  else if (name === 't' || name === 'instrText') state.textElement = name;
  else if (name === 'hyperlink')
    state.links.push(state.parts.relationships.get(relationshipId(attributes))?.address);
  else if (name === 'fldChar') openField(state.fields, attributes['w:fldCharType']);
  else openTableElement(state, name, attributes);
}

/** The text that an element without text of its own stands for. */
function shownText(name: string, attributes: Attributes): string | undefined {
  const description = name === 'docPr' ? attributes.descr?.trim() : undefined;
  if (name === 'tab') return ' ';
  if (name === 'br' || name === 'cr') return '\n';
  if (name === 'noBreakHyphen') return '-';
  if (name === 'footnoteReference') return `[^${attributes['w:id']}]`;
  if (name === 'endnoteReference') return `[^e${attributes['w:id']}]`;
  return description ? `![${description}]` : undefined;
}

function openField(fields: HyperlinkField[], kind: string | undefined): void {
  if (kind === 'begin') fields.push({ instruction: '' });
  else if (kind === 'end') fields.pop();
}

function openTableElement({ writer, spans }: BodyState, name: string, attributes: Attributes): void {
  if (name === 'tbl') writer.openTable();
  else if (name === 'tr') writer.openRow();
  else if (name === 'tc') {
    spans.push(1);
    writer.openCell();
  } else if (name === 'gridSpan' && spans.length > 0) {
    spans[spans.length - 1] = Math.min(Math.max(Number(attributes['w:val']) || 1, 1), maximumSpan);
  }
}

function closeCell({ writer, spans }: BodyState): void {
  writer.closeCell();
  for (let extra = (spans.pop() ?? 1) - 1; extra > 0; extra--) {
    writer.openCell();
    writer.closeCell();
  }
}

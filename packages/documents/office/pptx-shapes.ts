import type { BlockStyle, MarkdownWriter } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/read-xml.ts';
import { type Relationship, relationshipId } from './relationships.ts';

interface SlideContext {
  relationships: ReadonlyMap<string, Relationship>;
  /** The kinds of placeholders that are left out. */
  leftOut: ReadonlySet<string>;
}

const skippedElements = new Set(['Fallback', 'rPh']);
const listPlaceholders = new Set(['', 'body', 'obj']);
const deepestList = 8;

interface Paragraph {
  level: number;
  bullet: 'none' | 'point' | 'number' | undefined;
}

/** The reader's position in a slide. */
interface SlideState {
  writer: MarkdownWriter;
  context: SlideContext;
  /** The last number of each level of the shape's numbered lists. */
  numbers: number[];
  /** The kind of placeholder that the shape is, if it is one. */
  placeholder: string | undefined;
  paragraph: Paragraph;
  marks: { bold: boolean; italic: boolean; link: string | undefined };
  /** Whether the paragraph has begun in the writer. */
  begun: boolean;
  inText: boolean;
  inCell: boolean;
  /** The number of open elements from the skipped one inwards; 0 if none is skipped. */
  skipped: number;
}

/** Turns the shapes of a slide, or of its notes, into blocks in their order. */
export function createSlideHandler(writer: MarkdownWriter, context: SlideContext): XmlHandler {
  const state: SlideState = {
    writer,
    context,
    numbers: [],
    placeholder: undefined,
    paragraph: { level: 0, bullet: undefined },
    marks: { bold: false, italic: false, link: undefined },
    begun: false,
    inText: false,
    inCell: false,
    skipped: 0,
  };
  return {
    open: (name, attributes) => openElement(state, name, attributes),
    close: (name) => closeElement(state, name),
    text: (value) => writeText(state, value),
  };
}

function openElement(state: SlideState, name: string, attributes: Attributes): void {
  if (state.skipped > 0 || skippedElements.has(name)) state.skipped++;
  else if (name === 'sp' || name === 'graphicFrame') {
    state.placeholder = undefined;
    state.numbers.length = 0;
  } else if (name === 'ph') state.placeholder = attributes.type ?? '';
  else if (name === 'p') {
    state.paragraph = { level: 0, bullet: undefined };
    state.begun = false;
  } else if (name === 't') state.inText = true;
  else if (name === 'br' && state.begun) state.writer.text('\n');
  else {
    openParagraphProperty(state.paragraph, name, attributes);
    openRun(state, name, attributes);
    openTableElement(state, name);
  }
}

function closeElement(state: SlideState, name: string): void {
  if (state.skipped > 0) state.skipped--;
  else if (name === 't') state.inText = false;
  else if (name === 'p') state.writer.end();
  else if (name === 'tc') {
    state.inCell = false;
    state.writer.closeCell();
  } else if (name === 'tbl') state.writer.closeTable();
}

function openParagraphProperty(paragraph: Paragraph, name: string, attributes: Attributes): void {
  if (name === 'pPr') paragraph.level = Math.min(Math.max(Number(attributes.lvl) || 0, 0), deepestList);
  else if (name === 'buNone') paragraph.bullet = 'none';
  else if (name === 'buChar' || name === 'buBlip') paragraph.bullet = 'point';
  else if (name === 'buAutoNum') paragraph.bullet = 'number';
}

function openRun(state: SlideState, name: string, attributes: Attributes): void {
  const isOn = (value: string | undefined) => value === '1' || value === 'true';
  if (name === 'r' || name === 'fld') state.marks = { bold: false, italic: false, link: undefined };
  else if (name === 'rPr')
    state.marks = { bold: isOn(attributes.b), italic: isOn(attributes.i), link: undefined };
  else if (name === 'hlinkClick')
    state.marks.link = state.context.relationships.get(relationshipId(attributes))?.address;
}

function openTableElement(state: SlideState, name: string): void {
  if (name === 'tbl') state.writer.openTable();
  else if (name === 'tr') state.writer.openRow();
  else if (name === 'tc') {
    state.inCell = true;
    state.writer.openCell();
  }
}

function writeText(state: SlideState, value: string): void {
  const { placeholder, context, marks } = state;
  if (state.skipped > 0 || !state.inText) return;
  if (placeholder !== undefined && context.leftOut.has(placeholder)) return;
  if (!state.begun) state.writer.begin(blockStyle(state));
  state.begun = true;
  const { link, ...style } = marks;
  state.writer.text(value, { ...style, link: link || undefined });
}

function blockStyle({ paragraph, placeholder, inCell, numbers }: SlideState): BlockStyle {
  const { level } = paragraph;
  const inList = !inCell && placeholder !== undefined && listPlaceholders.has(placeholder);
  const bullet = paragraph.bullet ?? (inList ? 'point' : 'none');
  if (bullet !== 'number') numbers.length = Math.min(numbers.length, level);
  if (bullet === 'none') return { kind: 'paragraph' };
  const marker = bullet === 'number' ? `${nextNumber(numbers, level)}.` : '-';
  return { kind: 'item', depth: level, marker };
}

function nextNumber(numbers: number[], level: number): number {
  numbers[level] = (numbers[level] ?? 0) + 1;
  numbers.length = level + 1;
  return numbers[level];
}

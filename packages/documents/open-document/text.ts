import type { BlockStyle, MarkdownWriter } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/read-xml.ts';
import { isStyledAs, type OdfStyles } from './styles.ts';

/** Deleted text, comments, and descriptions that nobody sees. */
const skippedElements = new Set([
  'tracked-changes',
  'annotation',
  'forms',
  'title',
  'desc',
  'note-citation',
  'settings',
  'styles',
]);
const maximumRepeats = 50;

interface List {
  style: string | undefined;
  counter: number;
  /** Whether the open item has yet to get its marker. */
  itemMarker: boolean;
}

export interface OdfNote {
  id: string;
  text: string;
}

/** The reader's position in the text. */
interface TextState {
  writer: MarkdownWriter;
  styles: OdfStyles;
  notes: OdfNote[];
  lists: List[];
  /** The marks of each open span, including those of the spans around it. */
  spans: { bold: boolean; italic: boolean }[];
  links: (string | undefined)[];
  /** The number of columns that each open cell fills. */
  cellRepeats: number[];
  paragraphs: number;
  inNote: boolean;
  /** The number of open elements from the skipped one inwards; 0 if none is skipped. */
  skipped: number;
}

/** Turns the text of an OpenDocument file into blocks. Notes are added to `notes` instead. */
export function createOdfTextHandler(
  writer: MarkdownWriter,
  styles: OdfStyles,
  notes: OdfNote[],
): XmlHandler {
  const state: TextState = {
    writer,
    styles,
    notes,
    lists: [],
    spans: [],
    links: [],
    cellRepeats: [],
    paragraphs: 0,
    inNote: false,
    skipped: 0,
  };
  return {
    open: (name, attributes) => openElement(state, name, attributes),
    close: (name) => closeElement(state, name),
    text(value) {
      if (state.skipped === 0 && state.paragraphs > 0) writeText(state, value);
    },
  };
}

function openElement(state: TextState, name: string, attributes: Attributes): void {
  if (state.skipped > 0 || skippedElements.has(name)) state.skipped++;
  else if (name === 'p' || name === 'h') openParagraph(state, name, attributes);
  else if (name === 'span') openSpan(state, attributes['text:style-name']);
  else if (name === 'a') state.links.push(attributes['xlink:href']);
  else if (name === 's' || name === 'tab') writeText(state, ' ');
  else if (name === 'line-break') writeText(state, '\n');
  else if (name === 'note') openNote(state);
  else openStructure(state, name, attributes);
}

function closeElement(state: TextState, name: string): void {
  if (state.skipped > 0) state.skipped--;
  else if (name === 'p' || name === 'h') closeParagraph(state);
  else if (name === 'span') state.spans.pop();
  else if (name === 'a') state.links.pop();
  else if (name === 'note') state.inNote = false;
  else if (name === 'list') state.lists.pop();
  else if (name === 'table') state.writer.closeTable();
  else if (name === 'table-cell' || name === 'covered-table-cell') closeCell(state);
}

function openParagraph(state: TextState, name: string, attributes: Attributes): void {
  state.paragraphs++;
  if (!state.inNote) state.writer.begin(blockStyle(state, name, attributes));
}

function blockStyle({ styles, lists }: TextState, name: string, attributes: Attributes): BlockStyle {
  if (name === 'h') return { kind: 'heading', level: Number(attributes['text:outline-level']) || 1 };
  if (isStyledAs(styles, attributes['text:style-name'], 'Title')) return { kind: 'heading', level: 1 };
  const list = lists.at(-1);
  if (!list) return { kind: 'paragraph' };
  const depth = lists.length - 1;
  if (!list.itemMarker) return { kind: 'item', depth };
  list.itemMarker = false;
  const isNumbered = styles.numberedLevels.get(list.style ?? '')?.has(depth + 1);
  return { kind: 'item', depth, marker: isNumbered ? `${list.counter}.` : '-' };
}

function closeParagraph(state: TextState): void {
  state.paragraphs--;
  if (state.inNote) writeText(state, ' ');
  else state.writer.end();
}

function openSpan({ spans, styles }: TextState, name = ''): void {
  const { bold, italic } = styles.styles.get(name) ?? {};
  const around = spans.at(-1);
  spans.push({ bold: bold ?? around?.bold ?? false, italic: italic ?? around?.italic ?? false });
}

function writeText({ writer, notes, spans, links, inNote }: TextState, value: string): void {
  const note = inNote ? notes.at(-1) : undefined;
  const link = links.at(-1);
  if (note) note.text += value;
  else writer.text(value, { ...spans.at(-1), link: link || undefined });
}

function openNote(state: TextState): void {
  state.notes.push({ id: String(state.notes.length + 1), text: '' });
  writeText(state, `[^${state.notes.length}]`);
  state.inNote = true;
}

function openStructure({ writer, lists, cellRepeats }: TextState, name: string, attributes: Attributes) {
  const list = lists.at(-1);
  if (name === 'list') {
    const style = attributes['text:style-name'] ?? list?.style;
    lists.push({ style, counter: 0, itemMarker: false });
  } else if (name === 'list-item' && list) {
    list.counter = Number(attributes['text:start-value'] ?? list.counter + 1);
    list.itemMarker = true;
  } else if (name === 'table') writer.openTable();
  else if (name === 'table-row') writer.openRow();
  else if (name === 'table-cell' || name === 'covered-table-cell') {
    cellRepeats.push(Math.min(Number(attributes['table:number-columns-repeated']) || 1, maximumRepeats));
    writer.openCell();
  }
}

function closeCell({ writer, cellRepeats }: TextState): void {
  writer.closeCell();
  for (let extra = (cellRepeats.pop() ?? 1) - 1; extra > 0; extra--) {
    writer.openCell();
    writer.closeCell();
  }
}

export function writeOdfNotes(writer: MarkdownWriter, notes: readonly OdfNote[]): void {
  for (const note of notes) {
    writer.begin({ kind: 'paragraph' });
    writer.text(`[^${note.id}]: ${note.text}`);
    writer.end();
  }
}

import type { BlockStyle, MarkdownWriter } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/xml-events.ts';
import { isStyledAs, type OdfStyle, type OdfStyles } from './styles.ts';

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
  itemMarker: boolean;
}

export interface OdfNote {
  id: string;
  text: string;
}

/** Turns the text of an OpenDocument file into blocks; notes are gathered for the end. */
export function createOdfTextHandler(
  writer: MarkdownWriter,
  styles: OdfStyles,
  notes: OdfNote[],
): XmlHandler {
  const lists: List[] = [];
  const spans: (OdfStyle | undefined)[] = [];
  const links: (string | undefined)[] = [];
  const cellRepeats: number[] = [];
  let paragraphs = 0;
  let inNote = false;
  let skipped = 0;

  function listStyle(): BlockStyle {
    const list = lists.at(-1)!;
    const depth = lists.length - 1;
    if (!list.itemMarker) return { kind: 'item', depth };
    list.itemMarker = false;
    const numbered = styles.numberedLevels.get(list.style ?? '')?.has(depth + 1);
    return { kind: 'item', depth, marker: numbered ? `${list.counter}.` : '-' };
  }

  function openParagraph(name: string, attributes: Attributes): void {
    paragraphs += 1;
    if (inNote) return;
    if (name === 'h') {
      writer.begin({ kind: 'heading', level: Number(attributes['text:outline-level']) || 1 });
    } else if (isStyledAs(styles, attributes['text:style-name'], 'Title'))
      writer.begin({ kind: 'heading', level: 1 });
    else writer.begin(lists.length > 0 ? listStyle() : { kind: 'paragraph' });
  }

  function text(value: string): void {
    if (inNote) {
      const note = notes.at(-1);
      if (note) note.text += value;
      return;
    }
    const bold = spans.findLast((style) => style?.bold !== undefined)?.bold ?? false;
    const italic = spans.findLast((style) => style?.italic !== undefined)?.italic ?? false;
    const link = links.at(-1);
    writer.text(value, { bold, italic, ...(link && { link }) });
  }

  function openNote(): void {
    notes.push({ id: String(notes.length + 1), text: '' });
    text(`[^${notes.length}]`);
    inNote = true;
  }

  function openStructure(name: string, attributes: Attributes): void {
    if (name === 'list') {
      const style = attributes['text:style-name'] ?? lists.at(-1)?.style;
      lists.push({ style, counter: 0, itemMarker: false });
    } else if (name === 'list-item' && lists.length > 0) {
      const list = lists.at(-1)!;
      list.counter = Number(attributes['text:start-value'] ?? list.counter + 1);
      list.itemMarker = true;
    } else if (name === 'table') writer.openTable();
    else if (name === 'table-row') writer.openRow();
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      cellRepeats.push(Math.min(Number(attributes['table:number-columns-repeated']) || 1, maximumRepeats));
      writer.openCell();
    }
  }

  function openInline(name: string, attributes: Attributes): void {
    if (name === 'span') spans.push(styles.styles.get(attributes['text:style-name'] ?? ''));
    else if (name === 'a') links.push(attributes['xlink:href']);
    else if (name === 's' || name === 'tab') text(' ');
    else if (name === 'line-break') text('\n');
    else if (name === 'note') openNote();
    else openStructure(name, attributes);
  }

  function closeCell(): void {
    writer.closeCell();
    for (let extra = (cellRepeats.pop() ?? 1) - 1; extra > 0; extra -= 1) {
      writer.openCell();
      writer.closeCell();
    }
  }

  function closeParagraph(): void {
    paragraphs -= 1;
    if (inNote) text(' ');
    else writer.end();
  }

  return {
    open(name, attributes) {
      if (skipped > 0 || skippedElements.has(name)) skipped += 1;
      else if (name === 'p' || name === 'h') openParagraph(name, attributes);
      else openInline(name, attributes);
    },
    close(name) {
      if (skipped > 0) skipped -= 1;
      else if (name === 'p' || name === 'h') closeParagraph();
      else if (name === 'span') spans.pop();
      else if (name === 'a') links.pop();
      else if (name === 'note') inNote = false;
      else if (name === 'list') lists.pop();
      else if (name === 'table') writer.closeTable();
      else if (name === 'table-cell' || name === 'covered-table-cell') closeCell();
    },
    text(value) {
      if (skipped === 0 && paragraphs > 0) text(value);
    },
  };
}

export function writeOdfNotes(writer: MarkdownWriter, notes: readonly OdfNote[]): void {
  for (const note of notes) {
    writer.begin({ kind: 'paragraph' });
    writer.text(`[^${note.id}]: ${note.text}`);
    writer.end();
  }
}

import type { MarkdownWriter } from '@errand/text';
import type { Attributes, XmlHandler } from '../archive/xml-events.ts';
import { type Relationship, relationshipId } from './relationships.ts';

export interface SlideContext {
  relationships: ReadonlyMap<string, Relationship>;
  /** Kinds of placeholder whose text is left out. */
  leftOut: ReadonlySet<string>;
}

const skippedElements = new Set(['Fallback', 'rPh']);
const listPlaceholders = new Set(['', 'body', 'obj']);

interface Shape {
  placeholder: string | undefined;
}

interface Paragraph {
  level: number;
  bullet: 'none' | 'point' | 'number' | undefined;
}

/** Turns the shapes of a slide, or of its notes, into blocks in their order. */
export function createSlideHandler(writer: MarkdownWriter, context: SlideContext): XmlHandler {
  const numbers: number[] = [];
  let shape: Shape = { placeholder: undefined };
  let paragraph: Paragraph = { level: 0, bullet: undefined };
  let marks: { bold: boolean; italic: boolean; link: string | undefined } = {
    bold: false,
    italic: false,
    link: undefined,
  };
  let begun = false;
  let inText = false;
  let inCell = false;
  let skipped = 0;

  function nextNumber(level: number): number {
    numbers[level] = (numbers[level] ?? 0) + 1;
    numbers.length = level + 1;
    return numbers[level];
  }

  function begin(): void {
    if (begun) return;
    begun = true;
    const inList = !inCell && shape.placeholder !== undefined && listPlaceholders.has(shape.placeholder);
    const bullet = paragraph.bullet ?? (inList ? 'point' : 'none');
    if (bullet !== 'number') numbers.length = Math.min(numbers.length, paragraph.level);
    const marker = bullet === 'number' ? `${nextNumber(paragraph.level)}.` : '-';
    writer.begin(
      bullet === 'none' ? { kind: 'paragraph' } : { kind: 'item', depth: paragraph.level, marker },
    );
  }

  function isLeftOut(): boolean {
    return shape.placeholder !== undefined && context.leftOut.has(shape.placeholder);
  }

  function openRun(attributes: Attributes): void {
    const isOn = (value: string | undefined) => value === '1' || value === 'true';
    marks = { bold: isOn(attributes.b), italic: isOn(attributes.i), link: undefined };
  }

  function openTable(name: string): void {
    if (name === 'tbl') writer.openTable();
    else if (name === 'tr') writer.openRow();
    else if (name === 'tc') {
      inCell = true;
      writer.openCell();
    }
  }

  return {
    open(name, attributes) {
      if (skipped > 0 || skippedElements.has(name)) skipped += 1;
      else if (name === 'sp' || name === 'graphicFrame') {
        shape = { placeholder: undefined };
        numbers.length = 0;
      } else if (name === 'ph') shape.placeholder = attributes.type ?? '';
      else if (name === 'p') {
        paragraph = { level: 0, bullet: undefined };
        begun = false;
      } else if (name === 'pPr') paragraph.level = Math.min(Math.max(Number(attributes.lvl) || 0, 0), 8);
      else if (name === 'buNone') paragraph.bullet = 'none';
      else if (name === 'buChar' || name === 'buBlip') paragraph.bullet = 'point';
      else if (name === 'buAutoNum') paragraph.bullet = 'number';
      else if (name === 'r' || name === 'fld') openRun({});
      else if (name === 'rPr') openRun(attributes);
      else if (name === 'hlinkClick')
        marks.link = context.relationships.get(relationshipId(attributes))?.address;
      else if (name === 't') inText = true;
      else if (name === 'br' && begun) writer.text('\n');
      else openTable(name);
    },
    close(name) {
      if (skipped > 0) skipped -= 1;
      else if (name === 't') inText = false;
      else if (name === 'p') writer.end();
      else if (name === 'tc') {
        inCell = false;
        writer.closeCell();
      } else if (name === 'tbl') writer.closeTable();
    },
    text(value) {
      if (skipped > 0 || !inText || isLeftOut()) return;
      begin();
      const { link, ...style } = marks;
      writer.text(value, { ...style, ...(link && { link }) });
    },
  };
}

import type { MarkdownWriter, Marks } from '@errand/text';

export interface RtfParagraph {
  headingLevel: number;
  inTable: boolean;
  listLevel: number;
  indentTwips: number;
  /** The marker as it is shown, such as `2.` or a bullet. */
  marker: string;
}

export const plainParagraph: RtfParagraph = {
  headingLevel: 0,
  inTable: false,
  listLevel: 0,
  indentTwips: 0,
  marker: '',
};

export interface RtfBody {
  text(value: string, marks: Marks, paragraph: RtfParagraph): void;
  endParagraph(): void;
  endCell(): void;
  endRow(): void;
  finish(): void;
}

const typedMarker = /^\s*(?:[•◦▪·–-]|\d{1,3}[.)])\s*$/;

function listMarker(shown: string): string {
  const number = /(\d+)\D*$/.exec(shown)?.[1];
  return number ? `${number}.` : '-';
}

/** Puts paragraphs and cells in their places: rich text says where they end, never where they start. */
export function createRtfBody(writer: MarkdownWriter): RtfBody {
  let tableOpen = false;
  let rowOpen = false;
  let cellOpen = false;
  let begun = false;
  /** The start of a paragraph that may turn out to be a marker typed in front of a tab. */
  let held: { text: string; marks: Marks; paragraph: RtfParagraph } | undefined;

  function enterCell(): void {
    if (!tableOpen) writer.openTable();
    if (!rowOpen) writer.openRow();
    if (!cellOpen) writer.openCell();
    tableOpen = true;
    rowOpen = true;
    cellOpen = true;
  }

  function leaveTable(): void {
    if (cellOpen) writer.closeCell();
    if (tableOpen) writer.closeTable();
    tableOpen = false;
    rowOpen = false;
    cellOpen = false;
  }

  function begin(paragraph: RtfParagraph): void {
    if (paragraph.inTable) enterCell();
    else leaveTable();
    begun = true;
    const { headingLevel, marker, listLevel } = paragraph;
    if (headingLevel > 0) writer.begin({ kind: 'heading', level: headingLevel });
    else if (marker.trim()) writer.begin({ kind: 'item', depth: listLevel, marker: listMarker(marker) });
    else writer.begin({ kind: 'paragraph' });
  }

  function write(value: string, marks: Marks, paragraph: RtfParagraph): void {
    if (!begun && value.trim()) begin(paragraph);
    if (begun) writer.text(value, marks);
  }

  function releaseHeld(): void {
    if (!held) return;
    const { text, marks, paragraph } = held;
    held = undefined;
    write(text, marks, paragraph);
  }

  return {
    text(value, marks, paragraph) {
      if (held && value === '\t') {
        const listLevel = Math.min(Math.max(Math.round(held.paragraph.indentTwips / 360) - 1, 0), 8);
        begin({ ...held.paragraph, marker: held.text, listLevel });
        held = undefined;
        return;
      }
      releaseHeld();
      if (!begun && !paragraph.marker && typedMarker.test(value)) held = { text: value, marks, paragraph };
      else write(value, marks, paragraph);
    },
    endParagraph() {
      releaseHeld();
      writer.end();
      begun = false;
    },
    endCell() {
      releaseHeld();
      writer.end();
      begun = false;
      enterCell();
      writer.closeCell();
      cellOpen = false;
    },
    endRow() {
      if (cellOpen) writer.closeCell();
      cellOpen = false;
      rowOpen = false;
      begun = false;
    },
    finish() {
      releaseHeld();
      writer.end();
      leaveTable();
    },
  };
}

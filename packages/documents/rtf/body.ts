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

interface BodyState {
  writer: MarkdownWriter;
  tableOpen: boolean;
  rowOpen: boolean;
  cellOpen: boolean;
  /** Whether the paragraph has begun in the writer. */
  begun: boolean;
  /** The beginning of a paragraph, held back until it is clear whether it is a list marker. A tab follows a list marker. */
  held: { text: string; marks: Marks; paragraph: RtfParagraph } | undefined;
}

const typedMarker = /^\s*(?:[•◦▪·–-]|\d{1,3}[.)])\s*$/;
const twipsPerLevel = 360;
const deepestList = 8;

/** Opens paragraphs and cells for a writer: rich text marks their ends, never their starts. */
export function createRtfBody(writer: MarkdownWriter): RtfBody {
  const state: BodyState = {
    writer,
    tableOpen: false,
    rowOpen: false,
    cellOpen: false,
    begun: false,
    held: undefined,
  };
  return {
    text: (value, marks, paragraph) => readText(state, value, marks, paragraph),
    endParagraph: () => endBlock(state),
    endCell() {
      endBlock(state);
      enterCell(state);
      leaveCell(state);
    },
    endRow() {
      leaveCell(state);
      state.rowOpen = false;
      state.begun = false;
    },
    finish() {
      endBlock(state);
      leaveTable(state);
    },
  };
}

function readText(state: BodyState, value: string, marks: Marks, paragraph: RtfParagraph): void {
  const { held } = state;
  if (held && value === '\t') {
    const level = Math.round(held.paragraph.indentTwips / twipsPerLevel) - 1;
    const listLevel = Math.min(Math.max(level, 0), deepestList);
    begin(state, { ...held.paragraph, marker: held.text, listLevel });
    state.held = undefined;
    return;
  }
  releaseHeld(state);
  if (!state.begun && !paragraph.marker && typedMarker.test(value))
    state.held = { text: value, marks, paragraph };
  else write(state, value, marks, paragraph);
}

function releaseHeld(state: BodyState): void {
  const { held } = state;
  state.held = undefined;
  if (held) write(state, held.text, held.marks, held.paragraph);
}

function write(state: BodyState, value: string, marks: Marks, paragraph: RtfParagraph): void {
  if (!state.begun && value.trim()) begin(state, paragraph);
  if (state.begun) state.writer.text(value, marks);
}

function begin(state: BodyState, paragraph: RtfParagraph): void {
  const { writer } = state;
  if (paragraph.inTable) enterCell(state);
  else leaveTable(state);
  state.begun = true;
  const { headingLevel, marker, listLevel } = paragraph;
  if (headingLevel > 0) writer.begin({ kind: 'heading', level: headingLevel });
  else if (marker.trim()) writer.begin({ kind: 'item', depth: listLevel, marker: listMarker(marker) });
  else writer.begin({ kind: 'paragraph' });
}

function listMarker(marker: string): string {
  const number = /(\d+)\D*$/.exec(marker)?.[1];
  return number ? `${number}.` : '-';
}

function endBlock(state: BodyState): void {
  releaseHeld(state);
  state.writer.end();
  state.begun = false;
}

function enterCell(state: BodyState): void {
  const { writer } = state;
  if (!state.tableOpen) writer.openTable();
  if (!state.rowOpen) writer.openRow();
  if (!state.cellOpen) writer.openCell();
  state.tableOpen = true;
  state.rowOpen = true;
  state.cellOpen = true;
}

function leaveCell(state: BodyState): void {
  if (state.cellOpen) state.writer.closeCell();
  state.cellOpen = false;
}

function leaveTable(state: BodyState): void {
  leaveCell(state);
  if (state.tableOpen) state.writer.closeTable();
  state.tableOpen = false;
  state.rowOpen = false;
}

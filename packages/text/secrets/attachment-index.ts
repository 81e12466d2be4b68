import { setImmediate } from 'node:timers/promises';
import { limits } from '@errand/platform';
import { createTurns } from './turns.ts';
import { bare, indexWindows, spelt } from './windows.ts';

/** Texts in the spellings in which pieces are looked for. */
export interface Forms {
  spelt: readonly string[];
  bare: readonly string[];
}

/** Finds the pieces that other texts have in common with the attachment. */
export interface AttachmentIndex {
  sharedWith(texts: Forms): Promise<Set<string>>;
}

/** An attachment in one spelling, with the surroundings of each of its cells. */
interface Cells {
  text: string;
  at: ReadonlyMap<string, readonly string[]>;
}

const pieceCharacters = limits.fencedAttachmentCharacters;
/** Cells lie side by side and are half as long as a piece, so each piece holds a whole cell. */
const cellCharacters = pieceCharacters / 2;
/** A cell with more surroundings is common text, such as a table's rule. */
const mostSurroundings = 16;

/**
 * Reads the attachment once, in turns. A later search costs as much as the texts that are searched, however long the
 * attachment is.
 */
export async function indexAttachment(attachment: string): Promise<AttachmentIndex> {
  const exact = spelt(attachment);
  await setImmediate();
  const loose = bare(attachment);
  await setImmediate();
  const exactCells = await cellsOf(exact);
  const looseCells = await cellsOf(loose);
  return {
    sharedWith: async (texts) =>
      new Set([
        ...(await sharedPieces(exactCells, texts.spelt)),
        ...(await sharedPieces(looseCells, texts.bare)),
      ]),
  };
}

const cellsInTurn = 8_192;

async function cellsOf(text: string): Promise<Cells> {
  const at = new Map<string, string[]>();
  for (let start = 0; start + cellCharacters <= text.length; start += cellCharacters) {
    if (start % (cellsInTurn * cellCharacters) === 0) await setImmediate();
    const cell = text.slice(start, start + cellCharacters);
    const surroundings = at.get(cell) ?? [];
    at.set(cell, surroundings);
    if (surroundings.length > mostSurroundings) continue;
    // Any piece that holds this cell lies inside.
    const around = text.slice(Math.max(0, start - cellCharacters), start + pieceCharacters);
    if (!surroundings.includes(around)) surroundings.push(around);
  }
  return { text, at };
}

async function sharedPieces(cells: Cells, texts: readonly string[]): Promise<Set<string>> {
  const yieldTurn = createTurns();
  const shared = new Set<string>();
  for (const text of texts) {
    // Common text is looked for in the whole attachment.
    if (!addShared(text, cells, shared)) return indexWindows(texts, pieceCharacters).sharedWith(cells.text);
    await yieldTurn();
  }
  return shared;
}

/** Adds the text's pieces that the attachment has. False if the text holds a cell of common text. */
function addShared(text: string, { at: cells }: Cells, shared: Set<string>): boolean {
  for (let at = 0; at + cellCharacters <= text.length; at++) {
    const surroundings = cells.get(text.slice(at, at + cellCharacters));
    if (!surroundings) continue;
    if (surroundings.length > mostSurroundings) return false;
    const last = Math.min(at, text.length - pieceCharacters);
    for (let start = Math.max(0, at - cellCharacters); start <= last; start++) {
      const piece = text.slice(start, start + pieceCharacters);
      if (!shared.has(piece) && surroundings.some((each) => each.includes(piece))) shared.add(piece);
    }
  }
  return true;
}

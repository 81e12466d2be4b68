/** Longer instructions are no links: an address of more than 2,000 characters is not kept. */
const instructionCharacters = 4_000;

/** A field of Word or rich text. Its instruction applies to a piece of text. */
export interface HyperlinkField {
  instruction: string;
  /** Where the text leads, if the instruction is a link. */
  link?: string;
}

/** Appends to the instruction and looks in it for a link. The first group of `pattern` is the link's address. */
export function addInstruction(field: HyperlinkField, text: string, pattern: RegExp): void {
  const room = instructionCharacters - field.instruction.length;
  if (room <= 0) return;
  field.instruction += text.slice(0, room);
  field.link = pattern.exec(field.instruction)?.[1];
}

/** Longer instructions are no links: an address of more than 2,000 characters is not kept. */
const instructionCharacters = 4_000;

/** An instruction that Word and rich text keep with a piece of text. */
export interface HyperlinkField {
  instruction: string;
  /** Where the text leads, if the instruction is a link. */
  link?: string | undefined;
}

/** Adds to an instruction and looks for its link, which the first group of the pattern is, once for each addition. */
export function addInstruction(field: HyperlinkField, text: string, pattern: RegExp): void {
  const room = instructionCharacters - field.instruction.length;
  if (room <= 0) return;
  field.instruction += text.slice(0, room);
  field.link = pattern.exec(field.instruction)?.[1];
}

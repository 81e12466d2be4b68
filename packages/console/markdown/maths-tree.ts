export interface MathsElement {
  name: string;
  attributes: Record<string, string>;
  children: MathsTree[];
}

/** A formula as elements of MathML, which the reader of maths has from fixed lists. */
export type MathsTree = MathsElement | string;

export interface ReadFormula {
  tree: MathsTree;
  /** Elements and texts, and some for the formula itself. */
  nodes: number;
}

/** Read formulas by their keys, undefined for those that cannot be read. */
export type ReadFormulas = ReadonlyMap<string, ReadFormula | undefined>;

/** What a browser draws in about half a second, and 500 long formulas of people. */
export const mostNodes = 40_000;

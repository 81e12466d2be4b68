export interface MathsElement {
  name: string;
  attributes: Record<string, string>;
  children: MathsTree[];
}

/** A formula as elements of MathML, which the reader of maths has from fixed lists. */
export type MathsTree = MathsElement | string;

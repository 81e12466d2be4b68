import { type MathsTree, mostNodes, type ReadFormulas } from './maths-tree.ts';

/**
 * The formulas of a text that are drawn, in its order. A formula counts as often as it stands there, and beyond what a
 * browser draws they are TeX. A text that grows at its end changes nothing before it: formulas wait for those before them.
 */
export function fitFormulas(
  keys: readonly string[],
  read: ReadFormulas,
): { trees: (MathsTree | undefined)[]; missing: string[] } {
  const trees: (MathsTree | undefined)[] = [];
  const missing = new Set<string>();
  let nodes = 0;
  for (const key of keys) {
    const formula = read.get(key);
    if (!read.has(key)) missing.add(key);
    nodes += formula?.nodes ?? 1;
    if (nodes > mostNodes) break;
    if (missing.size === 0) trees.push(formula?.tree);
  }
  return { trees, missing: [...missing] };
}

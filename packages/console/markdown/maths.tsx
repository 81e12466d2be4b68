import { createElement } from 'preact';
import { Scrollable } from '../parts/scrollable.tsx';
import type { Drawing } from './marks.ts';
import type { MathsTree } from './maths-tree.ts';
import type { MathsToken } from './syntax.ts';

/** A formula; its TeX until it is read, and if it cannot be read. */
export function Maths({ token, drawing }: { token: MathsToken; drawing: Drawing }) {
  const tree = drawing.maths[token.place];
  if (!tree) return <code dir="ltr">{token.raw.trim()}</code>;
  if (!token.key.startsWith('display ')) return draw(tree);
  return <Scrollable label={`Formula: ${token.raw.trim()}`}>{draw(tree)}</Scrollable>;
}

const draw = (tree: MathsTree): preact.ComponentChild =>
  typeof tree === 'string' ? tree : createElement(tree.name, tree.attributes, ...tree.children.map(draw));

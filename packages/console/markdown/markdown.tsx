import type { ComponentChildren } from 'preact';
import { Boundary } from '../parts/boundary.tsx';
import { Blocks } from './blocks.tsx';
import { MarkedText } from './inlines.tsx';
import { type Drawing, type Mark, withSigns } from './marks.ts';
import { useMaths, useTokens } from './use-tokens.ts';

/**
 * Text of a model as a page. What is read of it becomes elements by name, one by one, and HTML in it stays text: there is
 * no markup that could run anything, and nothing is loaded. A text that cannot be read or drawn is shown as it is.
 */
export function Markdown<M extends Mark>({
  text,
  marks = [],
  drawMark = (mark) => mark.text,
  isQuoted,
}: {
  text: string;
  marks?: readonly M[];
  drawMark?: (mark: M) => ComponentChildren;
  isQuoted?: boolean;
}) {
  const signed = withSigns(text, marks);
  const last = useTokens(signed);
  const maths = useMaths(last?.read?.formulas);
  const drawing = { marks, drawMark, maths, isQuoted } as Drawing;
  const plain = (
    <div class="prose as-written" dir="auto">
      <MarkedText text={signed} drawing={drawing} />
    </div>
  );
  // The signs of an earlier reading may stand for other marks.
  if (!last?.read || (marks.length > 0 && last.text !== signed)) return plain;
  return (
    <Boundary otherwise={plain}>
      <div class="prose" dir="auto">
        <Blocks tokens={last.read.tokens} drawing={drawing} />
      </div>
    </Boundary>
  );
}

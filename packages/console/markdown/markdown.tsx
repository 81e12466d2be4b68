import { lexer } from 'marked';
import { useMemo } from 'preact/hooks';
import { Blocks, type Drawing } from './blocks.tsx';
import { type Mark, withSigns } from './marks.ts';

/**
 * Text of a model as a page. What is read of it becomes elements by name, one by one, and HTML in it stays text: there is
 * no markup that could run anything, and nothing is loaded.
 */
export function Markdown({
  text,
  marks = [],
  drawMark,
}: {
  text: string;
  marks?: readonly Mark[];
  drawMark?: Drawing['drawMark'];
}) {
  const tokens = useMemo(() => lexer(withSigns(text, marks), { gfm: true }), [text, marks]);
  return (
    <div class="prose">
      <Blocks tokens={tokens} drawing={{ marks, drawMark: drawMark ?? (({ number }) => `[${number}]`) }} />
    </div>
  );
}

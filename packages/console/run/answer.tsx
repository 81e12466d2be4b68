import { useMemo, useRef } from 'preact/hooks';
import { Markdown } from '../markdown/markdown.tsx';
import { type Citation, findMarks, type Mark } from '../markdown/marks.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { later } from '../parts/later.tsx';
import { markId, passageId } from './anchors.ts';
import { citedPassages, passageOf } from './cited-passages.ts';
import { Passages } from './passages.tsx';

const Contents = later(async () => (await import('./contents.tsx')).Contents);

/** Longer answers have their copy button at their end, too. */
const longCharacters = 1500;

/** The answer with its citations beside it. A number leads to the passage, and the passage back to its first claim. */
export function Answer({ text, citations }: { text: string; citations: readonly Citation[] }) {
  const marks = useMemo(() => findMarks(text, citations), [text, citations]);
  const passages = citedPassages(text, citations, marks);
  const whole = useRef<HTMLElement>(null);
  return (
    <article ref={whole} class={passages.length > 0 ? 'answer with-passages' : 'answer'}>
      <div>
        <div class="row spread">
          <h2>Answer</h2>
          <CopyButton text={text} name="Copy as markdown" />
        </div>
        {text.includes('#') && <Contents of={whole} />}
        <Markdown
          text={text}
          marks={marks}
          drawMark={(mark) => <MarkButton mark={mark} passage={passageOf(citations, mark.citation)} />}
        />
        {text.length > longCharacters && <CopyButton text={text} name="Copy as markdown" />}
      </div>
      {passages.length > 0 && <Passages passages={passages} />}
    </article>
  );
}

const MarkButton = ({ mark: { number, at }, passage }: { mark: Mark; passage: number }) => (
  <button
    key={at}
    type="button"
    class={`mark ${markId(passage)}`}
    aria-label={`Passage of source ${number}`}
    onClick={() => document.getElementById(passageId(passage))?.focus()}
  >
    {number}
  </button>
);

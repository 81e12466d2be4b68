import { useMemo, useRef } from 'preact/hooks';
import { Markdown } from '../markdown/markdown.tsx';
import { type Citation, findMarkers } from '../markdown/marks.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { later } from '../parts/later.tsx';
import { markerId } from './anchors.ts';
import { CitationsAside } from './citations-aside.tsx';
import { useOpened } from './opened-passage.ts';
import { claimIn } from './sources.tsx';

const Contents = later(async () => (await import('./contents.tsx')).Contents);

/** Longer answers have their copy button at their end, too. */
const longCharacters = 1500;

/** The answer with its citations beside it. A number opens the passage that it stands for. */
export function Answer({ text, citations }: { text: string; citations: readonly Citation[] }) {
  const markers = useMemo(() => findMarkers(text, citations), [text, citations]);
  const { opened, open, close } = useOpened();
  const written = useRef<HTMLDivElement>(null);
  const claimOf = (citation: Citation) => claimIn(text, citation);
  return (
    <article class={citations.length > 0 ? 'answer with-citations' : 'answer'}>
      <div ref={written}>
        <div class="row spread">
          <h2>Answer</h2>
          <CopyButton text={text} name="Copy as markdown" />
        </div>
        {text.includes('#') && <Contents of={written} />}
        <Markdown
          text={text}
          marks={markers}
          drawMark={(marker) => {
            const id = markerId(markers.indexOf(marker));
            const { number, citation } = marker;
            return (
              <button
                key={id}
                id={id}
                type="button"
                class="mark"
                aria-expanded={opened?.from === id}
                aria-label={`Passage of source ${number}: ${claimOf(citations[citation]!)}`}
                onClick={() => open(citations[citation]!, id)}
              >
                {number}
              </button>
            );
          }}
        />
        {text.length > longCharacters && <CopyButton text={text} name="Copy as markdown" />}
      </div>
      {citations.length > 0 && <CitationsAside {...{ citations, claimOf, opened, open, close }} />}
    </article>
  );
}

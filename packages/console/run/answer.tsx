import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Markdown } from '../markdown/markdown.tsx';
import { type Citation, findMarkers } from '../markdown/marks.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { later } from '../parts/later.tsx';
import { markerId } from './anchors.ts';
import { Evidence } from './evidence.tsx';
import { claimOf, Sources } from './sources.tsx';

const Contents = later(async () => (await import('./contents.tsx')).Contents);

/** Longer answers have their copy button at their end, too. */
const longCharacters = 1500;

/** A citation whose passage is open, and the id of what opened it. */
interface Opened {
  citation: number;
  from: string;
}

/** The answer with its citations beside it. A number opens the passage that it stands for. */
export function Answer({ text, citations }: { text: string; citations: readonly Citation[] }) {
  const markers = useMemo(() => findMarkers(text, citations), [text, citations]);
  const [opened, setOpened] = useOpened();
  const written = useRef<HTMLDivElement>(null);
  const open = (citation: number, from: string) =>
    setOpened(opened?.from === from ? undefined : { citation, from });
  const cited = opened && citations[opened.citation];
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
                aria-label={`Passage of source ${number}: ${claimOf(text, citations[citation]!)}`}
                onClick={() => open(citation, id)}
              >
                {number}
              </button>
            );
          }}
        />
        {text.length > longCharacters && <CopyButton text={text} name="Copy as markdown" />}
      </div>
      {citations.length > 0 && (
        <aside class="citations" aria-label="Citations">
          {cited && (
            <Evidence
              answer={text}
              citation={cited}
              marker={opened.from}
              close={() => setOpened(undefined)}
            />
          )}
          <Sources answer={text} citations={citations} open={open} />
        </aside>
      )}
    </article>
  );
}

/** Which passage is open. Escape closes it, and the keyboard is back where it was opened. */
function useOpened() {
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const last = useRef<Opened | undefined>(undefined);
  // Before the evidence is seen: a key that is pressed at once would else be lost.
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) setOpened(undefined);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [opened]);
  useLayoutEffect(() => {
    if (!opened && last.current) document.getElementById(last.current.from)?.focus();
    last.current = opened;
  }, [opened]);
  return [opened, setOpened] as const;
}

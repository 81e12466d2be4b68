import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Link } from '../markdown/inlines.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import type { Citation } from '../markdown/marks.ts';
import { linkToWords, plainWords, quoteMarks } from './quote.ts';
import { nameOf, Support } from './sources.tsx';
import './evidence.css';

/** The passage of one citation at the words that bear its claim out: beside the marker, on a phone above the page. */
export function Evidence({
  claim,
  citation,
  marker,
  close,
}: {
  claim: string;
  citation: Citation;
  /** The id of what the passage stands beside. */
  marker: string;
  close: () => void;
}) {
  const panel = useRef<HTMLElement>(null);
  useBeside(panel, marker, citation);
  const { number, passage, quote, place, support } = citation;
  const href = linkToWords(citation);
  return (
    <section
      ref={panel}
      class="evidence"
      role="dialog"
      tabIndex={-1}
      aria-label={`Source ${number ?? ''}: ${nameOf(citation)}`}
      aria-describedby="evidence-told"
    >
      <header class="row spread">
        <p class="source">
          {number !== undefined && <span class="mark">{number}</span>} {nameOf(citation)}
        </p>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      <p class="fine">The answer says</p>
      <blockquote class="claim-said">{claim}</blockquote>
      <p class="fine">Support: {support === undefined ? 'not checked' : <Support citation={citation} />}</p>
      <p class="fine row">
        The source says{place && `, ${place}`}
        {href && <Link address={href}>Open it there</Link>}
      </p>
      {passage === undefined ? (
        <p>No passage that is near the claim.</p>
      ) : (
        <div class="passage">
          <Markdown
            text={passage}
            marks={quoteMarks(citation)}
            drawMark={({ text }) => <mark>{text}</mark>}
            isQuoted
          />
        </div>
      )}
      <p id="evidence-told" hidden>
        {`The answer says: ${claim}. `}
        {quote && `The source says: ${plainWords(quote)}`}
      </p>
    </section>
  );
}

/** How far the passage stays from the edges of the window, in pixels. */
const gap = 16;

/**
 * Has the passage stand beside its marker, within the window as far as it fits, and its marked words in view. The text is
 * drawn after it was read, so the passage is placed again when it grows.
 */
function useBeside(panel: RefObject<HTMLElement | null>, marker: string, citation: Citation): void {
  useLayoutEffect(() => {
    const box = panel.current!;
    let isShown = false;
    const place = () => {
      const column = box.parentElement!.getBoundingClientRect().top;
      const beside = document.getElementById(marker)?.getBoundingClientRect().top ?? column;
      const lowest = innerHeight - box.offsetHeight - gap;
      const top = Math.max(column, gap, Math.min(beside, lowest));
      box.style.setProperty('--beside', `${Math.round(top - column)}px`);
      const words = box.querySelector('mark');
      if (words && !isShown) words.scrollIntoView({ block: 'nearest' });
      isShown ||= words !== null;
    };
    place();
    box.focus({ preventScroll: true });
    const observer = new ResizeObserver(place);
    observer.observe(box);
    return () => observer.disconnect();
  }, [panel, marker, citation]);
}

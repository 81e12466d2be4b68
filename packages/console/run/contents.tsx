import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import './contents.css';

const leastHeadings = 3;

/** The headings of an answer that has several, each a way to its place. They are read from what is drawn, which may come piece by piece. */
export function Contents({ of }: { of: RefObject<HTMLElement | null> }) {
  const headings = useSignal<readonly HTMLElement[]>([]);
  useEffect(() => {
    const { current } = of;
    if (!current) return;
    const read = () => {
      headings.value = [...current.querySelectorAll<HTMLElement>('.prose :is(h3, h4, h5, h6)')];
    };
    const watch = new MutationObserver(read);
    watch.observe(current, { childList: true, subtree: true });
    read();
    return () => watch.disconnect();
  }, [of, headings]);
  if (headings.value.length < leastHeadings) return null;
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {headings.value.map((heading, i) => (
          <li key={i} class={heading.className}>
            <button type="button" class="quiet" onClick={() => show(heading)}>
              {heading.textContent}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function show(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView();
}

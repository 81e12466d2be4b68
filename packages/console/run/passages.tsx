import type { Citation } from '../markdown/marks.ts';
import { safeAddress } from '../markdown/safe-address.ts';
import { Scrollable } from '../parts/scrollable.tsx';
import { formatShare } from '../words/quantities.ts';
import { markId, passageId } from './anchors.ts';
import type { CitedPassage } from './cited-passages.ts';

/** What the sources say about the claims. */
export const Passages = ({ passages }: { passages: readonly CitedPassage[] }) => (
  <aside class="passages" aria-label="Citations">
    <h2>Citations</h2>
    <ol>
      {passages.map((passage, i) => (
        <Passage key={i} index={i} passage={passage} />
      ))}
    </ol>
  </aside>
);

function Passage({ index, passage: { source, number, claims } }: { index: number; passage: CitedPassage }) {
  return (
    <li id={passageId(index)} tabIndex={-1}>
      <p class="source">
        {number !== undefined && (
          <button
            type="button"
            class="mark"
            aria-label={`Back to the claim of source ${number}`}
            onClick={() => document.querySelector<HTMLElement>(`.${markId(index)}`)?.focus()}
          >
            {number}
          </button>
        )}{' '}
        <Source citation={source} />
      </p>
      {source.passage && (
        <Scrollable label={`Passage ${index + 1}`}>
          <blockquote>{source.passage}</blockquote>
        </Scrollable>
      )}
      <ul class="claims">
        {claims.map(({ text, support }) => (
          <li key={text}>
            {text}
            {support !== undefined && <strong class="figure"> {formatShare(support)} supported</strong>}
          </li>
        ))}
      </ul>
    </li>
  );
}

function Source({ citation }: { citation: Citation }) {
  if (citation.type === 'file_citation') return <cite>{citation.title ?? citation.filename}</cite>;
  const href = safeAddress(citation.url);
  if (!href) return <cite>{citation.title}</cite>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {citation.title}
    </a>
  );
}

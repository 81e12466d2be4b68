import { Link } from '../markdown/inlines.tsx';
import { type Citation, withoutMarkers } from '../markdown/marks.ts';
import { describeSupport } from '../words/support.ts';
import { claimId } from './anchors.ts';

/** The sources of an answer with the claims that cite them. A claim opens its passage. */
export function Sources({
  claimOf,
  citations,
  open,
}: {
  claimOf: (citation: Citation) => string;
  citations: readonly Citation[];
  open: (citation: Citation, from: string) => void;
}) {
  return (
    <div class="sources">
      <h2>Citations</h2>
      <ol>
        {sourcesOf(citations).map((cited) => {
          const source = citations[cited[0]!]!;
          return (
            <li key={cited[0]}>
              <p class="source">
                {source.number !== undefined && <span class="mark">{source.number}</span>}{' '}
                {source.type === 'url_citation' ? (
                  <Link address={source.url}>{source.title}</Link>
                ) : (
                  nameOf(source)
                )}
              </p>
              <ul>
                {cited.map((i) => (
                  <li key={i}>
                    <button
                      type="button"
                      id={claimId(i)}
                      class="claim"
                      onClick={() => open(citations[i]!, claimId(i))}
                    >
                      {claimOf(citations[i]!)}
                    </button>{' '}
                    <Support citation={citations[i]!} />
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The places of the citations of each source, in the order in which the answer comes to them. */
const sourcesOf = (citations: readonly Citation[]): number[][] => [
  ...Map.groupBy(citations.keys(), (i) => citations[i]!.number ?? nameOf(citations[i]!)).values(),
];

export const nameOf = (citation: Citation): string =>
  citation.type === 'url_citation' ? citation.title : (citation.title ?? citation.filename);

export const claimIn = (answer: string, { startIndex, endIndex }: Citation): string =>
  withoutMarkers(answer.slice(startIndex, endIndex));

export function Support({ citation: { support } }: { citation: Citation }) {
  if (support === undefined) return null;
  const { text, tone } = describeSupport(support);
  return <strong class={`support is-${tone}`}>{text}</strong>;
}

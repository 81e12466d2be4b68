import { Scrollable } from '../parts/scrollable.tsx';
import { SureButton } from '../parts/sure-button.tsx';
import { formatCount } from '../words/quantities.ts';
import { formatTime } from '../words/time.ts';
import { diffLines } from './diff-lines.ts';
import { isOwn, type Named, type NamedDraft, type NamedVersion } from './kind.ts';
import { isChanged, type Opened } from './opened.ts';

export function Versions<Thing extends Named, Draft extends NamedDraft, Version>({
  opened,
}: {
  opened: Opened<Thing, Draft, Version>;
}) {
  const { kind, shown } = opened;
  const list = opened.versions.list.value;
  const hasTokens = list?.some(({ tokens }) => tokens !== undefined) ?? false;
  return (
    <section class="stack">
      <h2>Versions</h2>
      <Scrollable label="Versions">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Published</th>
              {hasTokens && (
                <th scope="col" class="to-right">
                  Tokens
                </th>
              )}
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list?.map((version) => (
              <VersionRow key={version.number} version={version} opened={opened} />
            ))}
          </tbody>
        </table>
      </Scrollable>
      {opened.versions.hasMore.value && (
        <button
          type="button"
          onClick={() => void opened.versions.more()}
          disabled={opened.versions.reading.busy}
        >
          Show more
        </button>
      )}
      <div aria-live="polite">
        {shown.value && (
          <Diff
            title={`From version ${shown.value.number} to the ${kind.noun} as it is`}
            before={kind.textOf(shown.value)}
            after={kind.textOf(opened.tagged.value!.thing)}
          />
        )}
      </div>
    </section>
  );
}

function VersionRow<Thing extends Named, Draft extends NamedDraft, Version>({
  version: { number, createdAt, tokens, digest },
  opened,
}: {
  version: NamedVersion;
  opened: Opened<Thing, Draft, Version>;
}) {
  const { thing } = opened.tagged.value!;
  const isCurrent = number === thing.version;
  return (
    <tr>
      <td>
        {number} {isCurrent && <span class="pill is-on">current</span>}
      </td>
      <td>
        {formatTime(createdAt)}{' '}
        <code class="fine" title={digest}>
          {digest.slice(0, 8)}
        </code>
      </td>
      {tokens !== undefined && <td class="to-right figure">{formatCount(tokens)}</td>}
      <td class="to-right">
        {!isCurrent && (
          <button type="button" class="quiet" onClick={() => opened.show(number)}>
            Compare<span class="unseen"> version {number}</span>
          </button>
        )}
        {!isCurrent && isOwn(thing) && (
          <SureButton
            question={isChanged(opened) ? 'Restore, and drop what is not saved' : undefined}
            disabled={opened.changing.busy.value}
            onSure={() => opened.restore(number)}
          >
            Restore<span class="unseen"> version {number}</span>
          </SureButton>
        )}
      </td>
    </tr>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Diff({ title, before, after }: { title: string; before: string; after: string }) {
  return (
    <figure class="diff">
      <figcaption class="fine">{title}</figcaption>
      <Scrollable label={title}>
        <pre>
          {diffLines(before, after).map(({ kind, text }, i) => (
            <code key={i} class={`is-${kind}`}>
              {`${signs[kind]} ${text}`}
            </code>
          ))}
        </pre>
      </Scrollable>
    </figure>
  );
}

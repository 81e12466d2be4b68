import { Scrollable } from '../../parts/scrollable.tsx';
import { SureButton } from '../../parts/sure-button.tsx';
import { formatCount } from '../../words/quantities.ts';
import { formatTime } from '../../words/time.ts';
import { restoreVersion } from './change-skills.ts';
import { diffLines } from './diff-lines.ts';
import { isChanged, type OpenedSkill } from './opened-skill.ts';
import { isOwn, type SkillVersionSummary } from './skills-state.ts';

export function Versions({ opened }: { opened: OpenedSkill }) {
  const shown = opened.shown.value;
  return (
    <section class="stack">
      <h2>Versions</h2>
      <Scrollable label="Versions">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Published</th>
              <th scope="col" class="to-right">
                Tokens
              </th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {opened.versions.list.value?.map((version) => (
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
        {shown && (
          <Diff
            title={`From version ${shown.number} to the skill as it is`}
            before={shown.instructions}
            after={opened.tagged.value?.skill.instructions ?? ''}
          />
        )}
      </div>
    </section>
  );
}

function VersionRow({ version, opened }: { version: SkillVersionSummary; opened: OpenedSkill }) {
  const { number, createdAt, tokens, digest } = version;
  const { skill } = opened.tagged.value!;
  const isCurrent = number === skill.version;
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
      <td class="to-right figure">{formatCount(tokens)}</td>
      <td class="to-right">
        {!isCurrent && (
          <button type="button" class="quiet" onClick={() => opened.show(number)}>
            Compare<span class="unseen"> version {number}</span>
          </button>
        )}
        {!isCurrent && isOwn(skill) && (
          <SureButton
            question={isChanged(opened) ? 'Restore, and drop what is not saved' : undefined}
            disabled={opened.changing.busy.value}
            onSure={() =>
              opened.change((current) => restoreVersion(current, number), { replacesDraft: true })
            }
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

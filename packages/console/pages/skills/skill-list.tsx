import { useEffect, useRef, useState } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { typescriptOf } from '../../calls/typescript.ts';
import { SkillExamples } from '../../examples/later-examples.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { type Action, createAction } from '../../session/action.ts';
import { go, hrefOf } from '../../shell/route.ts';
import { importSkill } from './change-skills.ts';
import { type SkillSummary, skills } from './skills-state.ts';

const scopeNames: Record<string, string> = { user: 'Your own', organisation: 'Your organisation' };

export function SkillList() {
  const { data, error, load } = skills();
  const [importing] = useState(createAction);
  useEffect(() => void load(), [load]);
  const scopes = [...Map.groupBy(data.value ?? [], ({ scope }) => scope)];
  return (
    <>
      <PageHead
        title="Skills"
        actions={
          <>
            <ImportButton action={importing} />
            <a class="button strong" href={hrefOf('skills', 'new')}>
              New skill
            </a>
          </>
        }
      >
        Instructions with a name, which chats and runs take along.
      </PageHead>
      <ErrorNotice error={importing.error.value} />
      <ErrorNotice error={error.value} retry={() => void load()} />
      {data.value?.length === 0 && (
        <>
          <p class="empty">There are no skills yet.</p>
          <SkillExamples />
        </>
      )}
      {scopes.map(([scope, list]) => (
        <section key={scope} class="stack">
          <h2>{scopeNames[scope] ?? `From the ${scope}`}</h2>
          <ul class="cards">
            {list.map((skill) => (
              <SkillItem key={skill.id} skill={skill} />
            ))}
          </ul>
        </section>
      ))}
      <SameCall
        call={() => ({
          curl: curlOf({ path: '/v1/skills' }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.GET('/v1/skills');`,
            'console.log(data);',
          ),
        })}
      />
    </>
  );
}

const SkillItem = ({ skill: { id, name, description, version, enabled } }: { skill: SkillSummary }) => (
  <li class="card stack">
    <div>
      <h3>
        <a href={hrefOf('skills', id)}>{name}</a>
      </h3>
      {description && <p class="fine">{description}</p>}
    </div>
    <p class="row">
      <span class={enabled ? 'pill is-on' : 'pill'}>{enabled ? 'enabled' : 'disabled'}</span>
      <span class="fine">{version === null ? 'without versions' : `version ${version}`}</span>
    </p>
  </li>
);

/** Makes a skill of a SKILL.md. */
function ImportButton({ action }: { action: Action }) {
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) =>
    action.run(async () => {
      if (file) go('skills', (await importSkill(await file.text())).id);
    });
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        Import SKILL.md
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".md,text/markdown"
        aria-label="SKILL.md"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

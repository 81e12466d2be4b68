import { useEffect, useRef, useState } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { typescriptOf } from '../../calls/typescript.ts';
import { SkillExamples } from '../../examples/later-examples.ts';
import { NamedList } from '../../named/named-list.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { type Action, createAction } from '../../session/action.ts';
import { go, hrefOf } from '../../shell/route.ts';
import { importSkill } from './skill-kind.ts';
import { skills } from './skills-state.ts';

export function SkillList() {
  const { data, error, load } = skills();
  const [importing] = useState(createAction);
  useEffect(() => void load(), [load]);
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
      <NamedList room="skills" list={data.value ?? []} idOf={({ id }) => id} />
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

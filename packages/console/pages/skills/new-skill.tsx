import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { sessionSignal } from '../../session/session.ts';
import { go, hrefOf, route } from '../../shell/route.ts';
import { createSkill, type SkillDraft } from './change-skills.ts';
import { SkillFields } from './skill-fields.tsx';

const nothing: SkillDraft = { name: '', description: '', instructions: '' };

export const newDraft = perKey(() => signal(nothing));

export function NewSkill() {
  const [action] = useState(createAction);
  const draft = newDraft();
  const create = () =>
    action.run(async () => {
      const [sent, session] = [draft.value, sessionSignal()];
      const { id } = await createSkill(sent);
      if (draft.value === sent) draft.value = nothing;
      const isHere = route.peek().page === 'skills' && route.peek().id === 'new';
      if (isHere && !session.aborted) go('skills', id);
    });
  return (
    <>
      <PageHead title="New skill" actions={<a href={hrefOf('skills')}>All skills</a>} />
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <SkillFields draft={draft} />
        <ErrorNotice error={action.error.value} />
        <div class="row">
          <button type="submit" class="strong" disabled={action.busy}>
            Create
          </button>
        </div>
      </form>
      <SameCall
        call={() => ({
          curl: curlOf({ method: 'POST', path: '/v1/skills', json: draft.value }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data: skill } = await errand.api.POST('/v1/skills', { body: ${literal(draft.value)} });`,
            'console.log(skill.id);',
          ),
        })}
      />
    </>
  );
}

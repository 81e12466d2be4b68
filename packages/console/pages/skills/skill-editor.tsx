import { ErrorNotice } from '../../parts/error-notice.tsx';
import { SureButton } from '../../parts/sure-button.tsx';
import { sessionSignal } from '../../session/session.ts';
import { go } from '../../shell/route.ts';
import { changeSkill, deleteSkill } from './change-skills.ts';
import { forgetSkill, isChanged, type OpenedSkill } from './opened-skill.ts';
import { SkillFields } from './skill-fields.tsx';

export function SkillEditor({ opened }: { opened: OpenedSkill }) {
  const { tagged, draft, changing, change } = opened;
  const { skill } = tagged.value!;
  const remove = () =>
    void changing.run(async () => {
      const session = sessionSignal();
      await deleteSkill(tagged.value!);
      forgetSkill(skill.id);
      if (!session.aborted) go('skills');
    });
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        change((current) => changeSkill(current, draft.value), { replacesDraft: true });
      }}
    >
      <SkillFields draft={draft} />
      {opened.overtaken.value && (
        <p class="notice" role="status">
          The skill was changed elsewhere since this was written. Saving replaces that with the text here; its
          versions stay.
        </p>
      )}
      <ErrorNotice error={changing.error.value} />
      <div class="row spread">
        <div class="row">
          <button type="submit" class="strong" disabled={!isChanged(opened) || changing.busy.value}>
            Save
          </button>
          <button
            type="button"
            disabled={changing.busy}
            onClick={() => change((current) => changeSkill(current, { enabled: !skill.enabled }))}
          >
            {skill.enabled ? 'Disable' : 'Enable'}
          </button>
        </div>
        <SureButton question="Delete it with all versions" disabled={changing.busy.value} onSure={remove}>
          Delete
        </SureButton>
      </div>
    </form>
  );
}

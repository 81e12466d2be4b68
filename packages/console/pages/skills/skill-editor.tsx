import { useSignal } from '@preact/signals';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { go } from '../../shell/route.ts';
import { changeSkill, deleteSkill } from './change-skills.ts';
import { forgetSkill, isChanged, type OpenedSkill } from './opened-skill.ts';
import { SkillFields } from './skill-fields.tsx';

export function SkillEditor({ opened }: { opened: OpenedSkill }) {
  const { tagged, draft, changing, change } = opened;
  const { skill } = tagged.value!;
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
        <DeleteButton opened={opened} />
      </div>
    </form>
  );
}

/** The first press asks, the second one deletes: all versions go along. */
function DeleteButton({ opened: { tagged, changing } }: { opened: OpenedSkill }) {
  const sure = useSignal(false);
  const press = () => {
    if (!sure.value) {
      sure.value = true;
      return;
    }
    void changing.run(async () => {
      await deleteSkill(tagged.value!);
      forgetSkill(tagged.value!.skill.id);
      go('skills');
    });
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={press}
      onBlur={() => {
        sure.value = false;
      }}
    >
      {sure.value ? 'Delete it with all versions' : 'Delete'}
    </button>
  );
}

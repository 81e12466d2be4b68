import { ErrorNotice } from '../parts/error-notice.tsx';
import { SureButton } from '../parts/sure-button.tsx';
import type { Named, NamedDraft } from './kind.ts';
import { isChanged, type Opened } from './opened.ts';

export function Editor<Thing extends Named, Draft extends NamedDraft, Version>({
  opened,
}: {
  opened: Opened<Thing, Draft, Version>;
}) {
  const { kind, tagged, draft, changing } = opened;
  const { enabled } = tagged.value!.thing;
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        opened.save();
      }}
    >
      <kind.Fields draft={draft} />
      {opened.overtaken.value && (
        <p class="notice" role="status">
          The {kind.noun} was changed elsewhere since this was written. Saving replaces that with the text
          here; its versions stay.
        </p>
      )}
      <ErrorNotice error={changing.error.value} />
      <div class="row spread">
        <div class="row">
          <button type="submit" class="strong" disabled={!isChanged(opened) || changing.busy.value}>
            Save
          </button>
          <button type="button" disabled={changing.busy} onClick={() => opened.enable(!enabled)}>
            {enabled ? 'Disable' : 'Enable'}
          </button>
        </div>
        <SureButton
          question="Delete it with all versions"
          disabled={changing.busy.value}
          onSure={opened.remove}
        >
          Delete
        </SureButton>
      </div>
    </form>
  );
}

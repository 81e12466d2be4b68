import type { Signal } from '@preact/signals';
import { Field } from '../parts/field.tsx';
import { formatCount } from '../words/quantities.ts';
import type { NamedDraft } from './kind.ts';

const nameCharacters = 64; // limits.skillNameCharacters
const instructionsCharacters = 20_000; // limits.skillInstructionsCharacters

/** The service counts Unicode's code points, too. */
const lengthOf = (text: string): number => [...text].length;

export function NamedFields<Draft extends NamedDraft>({ draft }: { draft: Signal<Draft> }) {
  const { name, description, instructions } = draft.value;
  const set = (part: Partial<NamedDraft>) => {
    draft.value = { ...draft.value, ...part };
  };
  return (
    <>
      <div class="columns">
        <Field name="Name" hint="Letters, digits, hyphens and underscores">
          <input
            required
            maxLength={nameCharacters}
            title="Letters, digits, hyphens and underscores, with a letter or digit first"
            pattern="[A-Za-z0-9][A-Za-z0-9_\-]*"
            value={name}
            onInput={({ currentTarget }) => set({ name: currentTarget.value })}
          />
        </Field>
        <Field name="Description">
          <input
            maxLength={500}
            value={description}
            onInput={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </Field>
      </div>
      <Field
        name="Instructions"
        hint={`${formatCount(lengthOf(instructions))} of ${formatCount(instructionsCharacters)} characters`}
      >
        <textarea
          class="code"
          rows={12}
          required
          value={instructions}
          onInput={({ currentTarget }) => set({ instructions: currentTarget.value })}
        />
      </Field>
    </>
  );
}

import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { errand } from '../../session/session.ts';
import { readSkill, type SkillDraft, type TaggedSkill } from './change-skills.ts';
import type { Skill, SkillVersion, SkillVersionSummary } from './skills-state.ts';

/** A skill that is looked at or written, with its versions. */
export interface OpenedSkill {
  tagged: Signal<TaggedSkill | undefined>;
  draft: Signal<SkillDraft>;
  versions: Signal<readonly SkillVersionSummary[]>;
  /** The version that is compared with the skill as it is. */
  shown: Signal<SkillVersion | undefined>;
  reading: Action;
  changing: Action;
  load(): void;
  show(number: number): void;
  /** Makes the change, then reads what became of the skill. */
  change(work: (skill: TaggedSkill) => Promise<void>): void;
}

export const draftOf = ({ name, description, instructions }: Skill): SkillDraft => ({
  name,
  description,
  instructions,
});

export function openSkill(id: string): OpenedSkill {
  const state: OpenedSkill = {
    tagged: signal(undefined),
    draft: signal({ name: '', description: '', instructions: '' }),
    versions: signal([]),
    shown: signal(undefined),
    reading: createAction(),
    changing: createAction(),
    load: () => void state.reading.run(read),
    show: (number) =>
      void state.reading.run(async () => {
        const { data } = await errand().api.GET('/v1/skills/{id}/versions/{number}', {
          params: { path: { id, number: String(number) } },
        });
        state.shown.value = data;
      }),
    change: (work) =>
      void state.changing.run(async () => {
        if (state.tagged.value) await work(state.tagged.value);
        state.shown.value = undefined;
        await read();
      }),
  };

  async function read(): Promise<void> {
    const tagged = await readSkill(id);
    state.tagged.value = tagged;
    state.draft.value = draftOf(tagged.skill);
    if (tagged.skill.version === null) return;
    const { data } = await errand().api.GET('/v1/skills/{id}/versions', { params: { path: { id } } });
    state.versions.value = data.versions;
  }

  return state;
}

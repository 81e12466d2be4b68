import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { type Pages, pages } from '../../session/pages.ts';
import { perKey } from '../../session/per-key.ts';
import { errand } from '../../session/session.ts';
import { readSkill, type SkillDraft, type TaggedSkill } from './change-skills.ts';
import type { Skill, SkillVersion, SkillVersionSummary } from './skills-state.ts';

/** A skill that is looked at or written, with its versions. */
export interface OpenedSkill {
  tagged: Signal<TaggedSkill | undefined>;
  draft: Signal<SkillDraft>;
  versions: Pages<SkillVersionSummary>;
  /** Whether the skill was changed elsewhere after this draft was begun. */
  overtaken: Signal<boolean>;
  /** The version that is compared with the skill as it is. */
  shown: Signal<SkillVersion | undefined>;
  reading: Action;
  changing: Action;
  load(): void;
  show(number: number): void;
  /** Makes the change, then reads what became of the skill. What is written and not saved stays, unless the change is about it; what is written meanwhile stays always. */
  change(work: (skill: TaggedSkill) => Promise<void>, options?: { replacesDraft?: boolean }): void;
}

const draftOf = ({ name, description, instructions }: Skill): SkillDraft => ({
  name,
  description,
  instructions,
});

/** Whether something is written that is not saved. */
export const isChanged = ({ tagged, draft }: Pick<OpenedSkill, 'tagged' | 'draft'>): boolean =>
  tagged.value !== undefined && JSON.stringify(draft.value) !== JSON.stringify(draftOf(tagged.value.skill));

const openedSkills = perKey(() => new Map<string, OpenedSkill>());

/** The skill as it was left, if something is written that is not saved, or else anew. */
export function openSkill(id: string): OpenedSkill {
  const left = openedSkills().get(id);
  if (left && isChanged(left)) {
    left.changing.forget();
    return left;
  }
  const opened = createOpenedSkill(id);
  openedSkills().set(id, opened);
  return opened;
}

export const forgetSkill = (id: string): void => void openedSkills().delete(id);

function createOpenedSkill(id: string): OpenedSkill {
  const state: OpenedSkill = {
    tagged: signal(undefined),
    draft: signal({ name: '', description: '', instructions: '' }),
    versions: pages(async (cursor) => {
      const { data } = await errand().api.GET('/v1/skills/{id}/versions', {
        params: { path: { id }, query: cursor },
      });
      return { entries: data.versions, cursor: data.cursor };
    }),
    overtaken: signal(false),
    shown: signal(undefined),
    reading: createAction(),
    changing: createAction(),
    load: () =>
      void state.reading.run(async () => {
        const before = state.tagged.peek()?.etag;
        await read(() => false);
        if (isChanged(state) && before !== state.tagged.peek()?.etag) state.overtaken.value = true;
      }),
    show: (number) =>
      void state.reading.run(async () => {
        const { data } = await errand().api.GET('/v1/skills/{id}/versions/{number}', {
          params: { path: { id, number: String(number) } },
        });
        state.shown.value = data;
      }),
    change: (work, { replacesDraft = false } = {}) =>
      void state.changing.run(async () => {
        const before = state.draft.peek();
        if (state.tagged.value) await work(state.tagged.value);
        state.shown.value = undefined;
        await read(() => replacesDraft && state.draft.peek() === before);
      }),
  };

  async function read(replacesDraft: () => boolean): Promise<void> {
    const tagged = await readSkill(id);
    if (replacesDraft() || !isChanged(state)) {
      state.draft.value = draftOf(tagged.skill);
      state.overtaken.value = false;
    }
    state.tagged.value = tagged;
    if (tagged.skill.version !== null) await state.versions.reload();
  }

  return state;
}

import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../session/action.ts';
import { type Pages, pages } from '../session/pages.ts';
import { perKey } from '../session/per-key.ts';
import { sessionSignal } from '../session/session.ts';
import { go, hrefOf, stay } from '../shell/route.ts';
import { namedCalls } from './calls.ts';
import type { Named, NamedDraft, NamedKind, NamedVersion, Tagged } from './kind.ts';

/** A skill or an agent that is looked at or written, with its versions. */
export interface Opened<Thing extends Named, Draft extends NamedDraft, Version> {
  kind: NamedKind<Thing, Draft, Version>;
  tagged: Signal<Tagged<Thing> | undefined>;
  draft: Signal<Draft>;
  versions: Pages<NamedVersion>;
  /** Whether it was changed elsewhere after this draft was begun. */
  overtaken: Signal<boolean>;
  /** The version that is compared with the thing as it is. */
  shown: Signal<(Version & NamedVersion) | undefined>;
  reading: Action;
  changing: Action;
  load(): void;
  show(number: number): void;
  save(): void;
  enable(enabled: boolean): void;
  restore(number: number): void;
  remove(): void;
}

type Anything = Opened<Named, NamedDraft, unknown>;

/** Whether something is written that is not saved. */
export const isChanged = <Thing extends Named, Draft extends NamedDraft, Version>({
  kind,
  tagged,
  draft,
}: Pick<Opened<Thing, Draft, Version>, 'kind' | 'tagged' | 'draft'>): boolean =>
  tagged.value !== undefined &&
  JSON.stringify(draft.value) !== JSON.stringify(kind.draftOf(tagged.value.thing));

const left = perKey(() => new Map<string, Anything>());

/** The thing as it was left, if something is written that is not saved, or else anew. */
export function openNamed<Thing extends Named, Draft extends NamedDraft, Version>(
  kind: NamedKind<Thing, Draft, Version>,
  id: string,
): Opened<Thing, Draft, Version> {
  const before = left().get(`${kind.room} ${id}`) as unknown as Opened<Thing, Draft, Version> | undefined;
  if (before && isChanged(before)) {
    before.changing.forget();
    return before;
  }
  const opened = createOpened(kind, id);
  left().set(`${kind.room} ${id}`, opened as unknown as Anything);
  return opened;
}

function createOpened<Thing extends Named, Draft extends NamedDraft, Version>(
  kind: NamedKind<Thing, Draft, Version>,
  id: string,
): Opened<Thing, Draft, Version> {
  const calls = namedCalls(kind);
  const place: Place = { id };
  const read = createRead(kind, calls, place);
  return { ...read, ...createChanges(kind, calls, place, read) };
}

/** What its path has, which may be a name that changes. */
interface Place {
  id: string;
}

type Calls<Thing extends Named, Draft extends NamedDraft, Version> = ReturnType<
  typeof namedCalls<Thing, Draft, Version>
>;

function createRead<Thing extends Named, Draft extends NamedDraft, Version>(
  kind: NamedKind<Thing, Draft, Version>,
  calls: Calls<Thing, Draft, Version>,
  place: Place,
) {
  const state = {
    kind,
    tagged: signal<Tagged<Thing> | undefined>(undefined),
    draft: signal(kind.nothing),
    versions: pages((part) => calls.listVersions(place.id, part)),
    overtaken: signal(false),
    shown: signal<(Version & NamedVersion) | undefined>(undefined),
    reading: createAction(),
  };

  async function read(replacesDraft: () => boolean): Promise<void> {
    const tagged = await calls.read(place.id);
    if (replacesDraft() || !isChanged(state)) {
      state.draft.value = kind.draftOf(tagged.thing);
      state.overtaken.value = false;
    }
    state.tagged.value = tagged;
    if (tagged.thing.version !== null) await state.versions.reload();
  }

  return {
    ...state,
    read,
    load: () =>
      void state.reading.run(async () => {
        const before = state.tagged.peek()?.etag;
        await read(() => false);
        if (isChanged(state) && before !== state.tagged.peek()?.etag) state.overtaken.value = true;
      }),
    show: (number: number) =>
      void state.reading.run(async () => {
        state.shown.value = await calls.readVersion(place.id, number);
      }),
  };
}

function createChanges<Thing extends Named, Draft extends NamedDraft, Version>(
  { room }: NamedKind<Thing, Draft, Version>,
  calls: Calls<Thing, Draft, Version>,
  place: Place,
  state: ReturnType<typeof createRead<Thing, Draft, Version>>,
) {
  const changing = createAction();

  /** Makes the change, then reads what became of the thing. What is written and not saved stays, unless the change is about it; what is written meanwhile stays always. */
  const change = (work: (tagged: Tagged<Thing>) => Promise<unknown>, replacesDraft: boolean) =>
    void changing.run(async () => {
      const before = state.draft.peek();
      if (state.tagged.value) await work(state.tagged.value);
      state.shown.value = undefined;
      await state.read(() => replacesDraft && state.draft.peek() === before);
    });

  /** Where its path has its name, another name is another address. */
  function move(now: string): void {
    const { id } = place;
    if (now === id) return;
    const opened = left().get(`${room} ${id}`);
    left().delete(`${room} ${id}`);
    if (opened) left().set(`${room} ${now}`, opened);
    if (location.hash === hrefOf(room, id)) stay(room, now);
    place.id = now;
  }

  return {
    changing,
    save: () => change((tagged) => calls.save(tagged, state.draft.peek()).then(move), true),
    enable: (enabled: boolean) => change((tagged) => calls.enable(tagged, enabled), false),
    restore: (number: number) => change((tagged) => calls.restore(tagged, number), true),
    remove: () =>
      void changing.run(async () => {
        const session = sessionSignal();
        await calls.remove(state.tagged.peek()!);
        left().delete(`${room} ${place.id}`);
        if (!session.aborted) go(room);
      }),
  };
}

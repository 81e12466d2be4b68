import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Action, createAction } from './action.ts';

export interface Pages<T> {
  /** What was read so far; absent before the first page. */
  list: ReadonlySignal<readonly T[] | undefined>;
  hasMore: ReadonlySignal<boolean>;
  reading: Action;
  /** Reads the first page again. What an earlier call answers later is dropped. */
  reload(): Promise<void>;
  more(): Promise<void>;
}

/** A list that the service tells page by page. A page may be short, or empty, and still not be the last. */
export function pages<T>(
  read: (cursor: { cursor?: string }) => Promise<{ entries: readonly T[]; cursor: string | undefined }>,
): Pages<T> {
  const list = signal<readonly T[] | undefined>(undefined);
  const cursor = signal<string | undefined>(undefined);
  const reading = createAction();
  let latest = 0;
  const readAfter = (after: string | undefined) =>
    reading.run(async () => {
      const mine = ++latest;
      const page = await read(after === undefined ? {} : { cursor: after });
      if (mine !== latest) return;
      list.value = after === undefined ? page.entries : [...(list.peek() ?? []), ...page.entries];
      cursor.value = page.cursor;
    });
  return {
    ...{ list, reading },
    hasMore: computed(() => cursor.value !== undefined),
    reload: () => readAfter(undefined),
    more: () => readAfter(cursor.peek()),
  };
}

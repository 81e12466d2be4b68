import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Action, createAction } from './action.ts';
import { type Page, renewed } from './renewed.ts';

export interface Pages<T> {
  /** What was read so far; absent before the first page. */
  list: ReadonlySignal<readonly T[] | undefined>;
  hasMore: ReadonlySignal<boolean>;
  reading: Action;
  /** Reads the first page again. What an earlier call answers later is dropped. */
  reload(): Promise<void>;
  more(): Promise<void>;
  /** Reads again what was read so far, or as much of it as one page has. Does nothing while something else is read. */
  renew(idOf: (entry: T) => string): Promise<void>;
}

const usualPage = 20; // limits.pageEntriesByDefault
const largestPage = 100; // limits.pageEntries

/** A list that the service tells page by page. A page may be short, or empty, and still not be the last. */
export function pages<T>(read: (part: { cursor?: string; limit?: number }) => Promise<Page<T>>): Pages<T> {
  const list = signal<readonly T[] | undefined>(undefined);
  const cursor = signal<string | undefined>(undefined);
  const reading = createAction();
  let latest = 0;
  const show = (page: Page<T>) => {
    list.value = page.entries;
    cursor.value = page.cursor;
  };
  const readAfter = (after: string | undefined) =>
    reading.run(async () => {
      const mine = ++latest;
      const { entries, ...page } = await read(after === undefined ? {} : { cursor: after });
      if (mine !== latest) return;
      show({ ...page, entries: after === undefined ? entries : [...(list.peek() ?? []), ...entries] });
    });
  return {
    ...{ list, reading },
    hasMore: computed(() => cursor.value !== undefined),
    reload: () => readAfter(undefined),
    more: () => readAfter(cursor.peek()),
    async renew(idOf) {
      const shown = list.peek();
      if (shown === undefined || reading.busy.peek()) return;
      const mine = latest;
      const page = await read({ limit: Math.min(largestPage, Math.max(usualPage, shown.length)) });
      if (mine === latest) show(renewed({ entries: shown, cursor: cursor.peek() }, page, idOf));
    },
  };
}

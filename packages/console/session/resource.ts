import type { Errand } from '@errand/client';
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Action, createAction } from './action.ts';
import { errand } from './session.ts';

export interface Resource<T> extends Pick<Action, 'busy' | 'error'> {
  data: ReadonlySignal<T | undefined>;
  /** Reads it, or reads it again. What an earlier call answers later is dropped. */
  load(): Promise<void>;
  /** Reads the resource, unless it was read within this many milliseconds. */
  need(withinMilliseconds?: number): void;
  set(value: T): void;
}

/** A resource of the service, as it was last read. */
export function resource<T>(read: (service: Errand) => Promise<T>): Resource<T> {
  const data = signal<T | undefined>(undefined);
  const action = createAction();
  let latest = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  const load = () => {
    askedAt = Date.now();
    const mine = ++latest;
    return action.run(async () => {
      const value = await read(errand());
      if (mine === latest) data.value = value;
    });
  };
  return {
    data,
    busy: action.busy,
    error: action.error,
    load,
    need(withinMilliseconds = Number.POSITIVE_INFINITY) {
      if (!(Date.now() - askedAt < withinMilliseconds)) void load();
    },
    set: (value) => {
      askedAt = Date.now();
      latest++;
      data.value = value;
    },
  };
}

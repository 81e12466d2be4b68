import type { Errand } from '@errand/client';
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Action, createAction } from './action.ts';
import { errand } from './session.ts';

export interface Resource<T> extends Pick<Action, 'busy' | 'error'> {
  data: ReadonlySignal<T | undefined>;
  /** Reads it, or reads it again. What an earlier call answers later is dropped. */
  load(): Promise<void>;
  /** Reads it once. */
  need(): void;
  set(value: T): void;
}

/** Something that the service knows, as it was read last. */
export function resource<T>(read: (service: Errand) => Promise<T>): Resource<T> {
  const data = signal<T | undefined>(undefined);
  const action = createAction();
  let latest = 0;
  let asked = false;
  const load = () => {
    asked = true;
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
    need: () => void (asked || load()),
    set: (value) => {
      latest++;
      data.value = value;
    },
  };
}

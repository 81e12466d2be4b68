import { ErrandError } from '@errand/client';
import { type ReadonlySignal, signal } from '@preact/signals';
import { sessionSignal, signOut } from './session.ts';

export interface Action {
  busy: ReadonlySignal<boolean>;
  /** The error of the last attempt. */
  error: ReadonlySignal<unknown>;
  /** Does the work, and keeps what it throws as `error`. A key that is not accepted signs the visitor out. */
  run(work: () => Promise<void>): Promise<void>;
  forget(): void;
}

export function createAction(): Action {
  const busy = signal(false);
  const error = signal<unknown>(undefined);
  let running = 0;
  return {
    busy,
    error,
    async run(work) {
      const session = sessionSignal();
      running++;
      busy.value = true;
      error.value = undefined;
      try {
        await work();
      } catch (thrown) {
        // What was asked with another key says nothing about this one.
        if (isAborted(thrown) || session.aborted) return;
        error.value = thrown;
        if (thrown instanceof ErrandError && thrown.status === 401) signOut(thrown);
      } finally {
        busy.value = --running > 0;
      }
    },
    forget: () => {
      error.value = undefined;
    },
  };
}

const isAborted = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'AbortError';

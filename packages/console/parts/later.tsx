import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { createAction } from '../session/action.ts';
import { ErrorNotice } from './error-notice.tsx';

/** A component whose code is loaded when it is first drawn, so that the console's first page need not wait for it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  const loading = createAction();
  const read = () =>
    void loading.run(async () => {
      loaded.value = await load().catch((cause: unknown) => {
        throw new Error('A part of this page could not be loaded.', { cause });
      });
    });
  return (props: Props) => {
    useEffect(() => {
      if (!loaded.peek() && !loading.busy.peek()) read();
    }, []);
    const Loaded = loaded.value;
    return Loaded ? <Loaded {...props} /> : <ErrorNotice error={loading.error.value} retry={read} />;
  };
}

import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A page whose script is loaded when it is opened. */
export function later(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<ComponentType | undefined>(undefined);
  return () => {
    const [failed, setFailed] = useState<unknown>();
    useEffect(() => {
      load().then((page) => {
        loaded.value = page;
      }, setFailed);
    }, []);
    if (failed !== undefined) throw failed;
    const Page = loaded.value;
    return Page ? <Page /> : <p class="fine">Loading …</p>;
  };
}

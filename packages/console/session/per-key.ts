import { computed, untracked } from '@preact/signals';
import { apiKey } from './session.ts';

/** State that outlives its page, but not the key: another key finds none of it. */
export function perKey<T>(create: () => T): () => T {
  const state = computed(() => {
    void apiKey.value;
    return untracked(create);
  });
  return () => state.value;
}

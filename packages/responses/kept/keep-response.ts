import { describeError, limits, startTimer } from '@errand/platform';
import type { Finish } from '../answer/response-object.ts';
import { itemIdOf, keyOfItem } from '../ids.ts';
import type { Item } from '../request/schema.ts';
import type { Conversation } from './resolve-input.ts';
import { deleteKept, type KeptDeps, type Owned, putKept } from './store.ts';

/**
 * Keeps a response before its end is sent, unless the request says not to keep it. A response that could not be
 * kept says so by `store`, and is charged and sent all the same.
 */
export const keepResponse =
  (deps: KeptDeps, owned: Owned, { earlier, own }: Conversation): Finish =>
  async (response) => {
    if (response.store === false) return response;
    const writing = putKept(deps, owned, { response, earlier, input: nameItems(own, owned.key) });
    try {
      await withinTime(deps, writing);
      return response;
    } catch (error) {
      deps.log.warn('response not kept', describeError(error));
      void forgetLater(deps, owned, writing);
      return { ...response, store: false };
    }
  };

/** Rejects if the write is slow. The write may still succeed. */
function withinTime(deps: KeptDeps, writing: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = startTimer(deps, limits.responseKeepingMilliseconds, () =>
    late.reject(new Error('write too slow')),
  );
  return Promise.race([writing, late.promise]).finally(stop);
}

/** Deletes what a write leaves after its caller was told that nothing is kept. */
async function forgetLater(deps: KeptDeps, owned: Owned, writing: Promise<void>): Promise<void> {
  const isWritten = await writing.then(
    () => true,
    () => false,
  );
  try {
    if (isWritten) await deleteKept(deps, owned);
  } catch (error) {
    deps.log.warn('late response not deleted', describeError(error));
  }
}

/**
 * The items of an input as they are kept: with their type, their content as parts, and an id that no other one has. `key` is that
 * of the response: an id that a caller made up ends in it from now on.
 */
function nameItems(items: readonly Item[], key: string): Item[] {
  const taken = new Set<string>();
  const claim = ({ id }: Item): string | undefined => {
    if (typeof id !== 'string' || id === '') return undefined;
    const own = keyOfItem(id) ? id : itemIdOf(id, key);
    if (taken.has(own)) return undefined;
    taken.add(own);
    return own;
  };
  const claimed = items.map(claim);
  let next = 0;
  const newItemId = (): string => {
    let id: string;
    do id = itemIdOf(`msg_in_${next++}`, key);
    while (taken.has(id));
    return id;
  };
  return items.map((item, index) => ({ ...item, ...written(item), id: claimed[index] ?? newItemId() }));
}

function written({ type = 'message', role, content }: Item): Item {
  if (type !== 'message' || typeof content !== 'string') return { type };
  const part = role === 'assistant' ? { type: 'output_text', annotations: [] } : { type: 'input_text' };
  return { type, content: [{ ...part, text: content }] };
}

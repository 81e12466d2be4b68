import { describeError, limits, startSystemTimer } from '@errand/platform';
import type { Finish } from '../answer/finish.ts';
import { nameItems } from './name-items.ts';
import type { Conversation } from './resolve-input.ts';
import { deleteKept, type KeptDeps, type Owned, putKept } from './store.ts';

/** Keeps a response before its end is told, unless it is not to be kept. One that could not be kept says so by `store`: it is charged, and told. */
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

/** Rejects if the write is slow. It may still succeed. */
function withinTime({ startTimer = startSystemTimer }: KeptDeps, writing: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = startTimer(limits.responseKeepingMilliseconds, () => late.reject(new Error('write too slow')));
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

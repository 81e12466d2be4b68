import { DomainError } from './errors.ts';
import { limits } from './limits.ts';

export interface Semaphore {
  /**
   * Resolves with the function that gives the slot back. Whoever holds the fewest slots is next, and owners who hold
   * equally many take turns: the callers of one owner wait for each other, and those of another one do not wait for all
   * of them.
   */
  take(options?: { signal?: AbortSignal; owner?: string | undefined }): Promise<() => void>;
}

interface Owner {
  name: string;
  held: number;
  /** The callers that wait, in the order in which they came. */
  waiting: Set<() => void>;
}

/** A semaphore that owners share fairly. What a slot costs does not grow with the number of those who wait. */
export function createSemaphore(count: number): Semaphore {
  const owners = new Map<string, Owner>();
  /** The owners whose callers wait, by the number of slots that they hold. */
  const queues = Array.from({ length: count + 1 }, () => new Set<Owner>());
  let free = count;

  const ownerOf = (name: string): Owner => owners.get(name) ?? { name, held: 0, waiting: new Set() };

  /** Puts the owner at its present place. An owner that holds more or fewer slots than before goes behind its equals. */
  function place(owner: Owner, heldBefore: number): void {
    if (heldBefore !== owner.held || owner.waiting.size === 0) queues[heldBefore]?.delete(owner);
    if (owner.waiting.size > 0) queues[owner.held]?.add(owner);
    if (owner.held + owner.waiting.size > 0) owners.set(owner.name, owner);
    else owners.delete(owner.name);
  }

  function giveNext(): void {
    const [owner] = queues.find((queue) => queue.size > 0) ?? [];
    const [give] = owner?.waiting ?? [];
    if (!owner || !give || free === 0) return;
    free--;
    owner.waiting.delete(give);
    place(owner, owner.held++);
    give();
  }

  function giveBack(owner: Owner): void {
    free++;
    place(owner, owner.held--);
    giveNext();
  }

  return {
    async take({ signal, owner: name = '' } = {}) {
      signal?.throwIfAborted();
      const owner = ownerOf(name);
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const give = () => resolve(once(() => giveBack(owner)));
      const abort = () => {
        owner.waiting.delete(give);
        place(owner, owner.held);
        reject(signal?.reason);
      };
      owner.waiting.add(give);
      place(owner, owner.held);
      giveNext();
      signal?.addEventListener('abort', abort, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', abort));
    },
  };
}

/** Takes a slot for a request. Throws `store_unavailable` if there is none for so long that the request must be answered. */
export const takeWhileAsked = (semaphore: Semaphore, owner: string): Promise<() => void> =>
  semaphore.take({ owner, signal: AbortSignal.timeout(limits.answerMilliseconds) }).catch(() => {
    throw new DomainError('store_unavailable');
  });

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

import { limits } from '@errand/platform';
import type { Claim, Situation } from '../lease.ts';

/**
 * The fair read-write lock over the runs of one worker process. A run has the process to itself as long as it may have
 * killed workers, so that the next death is known to be its own:
 *
 * | mode | who asks for it | when it is given |
 * |---|---|---|
 * | shared | a run | at once, unless a suspect waits or has its turn |
 * | exclusive | a suspect | once every other run has released: each hands over after its next commit |
 *
 * Turns are given in the order in which they were asked for, so neither kind waits for ever. After a suspect's turn the
 * runs beside it have `limits.suspectRestMilliseconds` in which no other suspect stops them.
 */
export interface RunLock {
  /** Resolves when it is the run's turn and its claim is made. */
  acquire(mode: LockMode, claim: (how: Situation) => Promise<ClaimOutcome>): Promise<HeldLock>;
  /** Whether a run that came now would have to wait for a suspect. */
  isShut(): boolean;
}

type LockMode = 'shared' | 'exclusive';

/** The outcome of a claim, or that none was made because the worker stops. */
export type ClaimOutcome = Claim | { kind: 'stopping' };

export interface HeldLock {
  claim: ClaimOutcome;
  /** Records of the worker's other runs that they are no longer alone. Called before the run is worked on: else a death that it causes would count against them as well. */
  noteShared(): Promise<void>;
  /** Whether the run must release after its next commit, because a suspect waits. */
  isAwaited(): boolean;
  /**
   * Notes a commit: the run is no longer a suspect. Returns whether the run must release, because a suspect waits.
   */
  afterCommit(): boolean;
  release(): void;
}

interface Holder {
  mode: LockMode;
  /** Whether the run's record says that it is alone. */
  isAlone: boolean;
  claimed: PromiseWithResolvers<ClaimOutcome | undefined>;
  noting?: Promise<void>;
}

/** Records that a run that was claimed alone now has others beside it. */
type WriteShared = (agentId: string, token: string) => Promise<void>;

export function createRunLock(writeShared: WriteShared): RunLock {
  const turns = createTurns();
  return {
    isShut: turns.isShut,
    async acquire(mode, claimRun) {
      const claimed = Promise.withResolvers<ClaimOutcome | undefined>();
      const holder: Holder = { mode, isAlone: false, claimed };
      await turns.enter(holder);
      const others = [...turns.holders].filter((other) => other !== holder);
      holder.isAlone = others.length === 0;
      try {
        const claim = await claimRun({ alone: holder.isAlone, isSuspect: mode === 'exclusive' });
        claimed.resolve(claim);
        return {
          claim,
          async noteShared() {
            await Promise.all(others.map((other) => noteOnce(other, writeShared)));
          },
          isAwaited: () => turns.isAwaited(holder),
          afterCommit: () => turns.share(holder),
          release: () => turns.leave(holder),
        };
      } catch (error) {
        claimed.resolve(undefined);
        turns.leave(holder);
        throw error;
      }
    },
  };
}

function createTurns() {
  const holders = new Set<Holder>();
  const waiting: { holder: Holder; admit(): void }[] = [];
  let restUntil = Number.NEGATIVE_INFINITY;

  const isResting = () => performance.now() < restUntil;
  const isSuspect = ({ mode }: Holder) => mode === 'exclusive';
  const oneWaits = () => waiting.some(({ holder }) => isSuspect(holder));

  function admitNext(): void {
    for (let i = 0; i < waiting.length; ) {
      const { holder, admit } = waiting[i]!;
      const isTaken = isSuspect(holder) ? holders.size > 0 : holders.values().some(isSuspect);
      if (isTaken && isSuspect(holder) && isResting()) {
        i++;
        continue;
      }
      if (isTaken) return;
      waiting.splice(i, 1);
      holders.add(holder);
      admit();
    }
  }

  /**
   * The other runs go on undisturbed for a while. Otherwise many suspects in a row would stop them all the time.
   */
  function rest(): void {
    restUntil = performance.now() + limits.suspectRestMilliseconds;
    setTimeout(admitNext, limits.suspectRestMilliseconds).unref();
  }

  return {
    holders,
    isShut: (): boolean => holders.values().some(isSuspect) || (!isResting() && oneWaits()),
    enter: (holder: Holder) =>
      new Promise<void>((admit) => {
        waiting.push({ holder, admit });
        admitNext();
      }),
    isAwaited: (holder: Holder): boolean => oneWaits() && (isSuspect(holder) || !isResting()),
    /** Lets other runs in beside the holder. Returns true if a suspect waits to be alone and may have its turn. */
    share(holder: Holder): boolean {
      const wasSuspect = isSuspect(holder);
      holder.mode = 'shared';
      if (wasSuspect) rest();
      admitNext();
      return oneWaits() && (wasSuspect || !isResting());
    },
    leave(holder: Holder): void {
      holders.delete(holder);
      if (isSuspect(holder)) rest();
      admitNext();
    },
  };
}

function noteOnce(holder: Holder, writeShared: WriteShared): Promise<void> | undefined {
  if (!holder.isAlone) return;
  holder.noting ??= note(holder, writeShared).finally(() => delete holder.noting);
  return holder.noting;
}

async function note(holder: Holder, writeShared: WriteShared): Promise<void> {
  const claim = await holder.claimed.promise;
  if (claim?.kind === 'claimed' && holder.isAlone) await writeShared(claim.run.agentId, claim.token);
  holder.isAlone = false;
}

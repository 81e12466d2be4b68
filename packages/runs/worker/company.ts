import type { Claim, Situation } from '../lease.ts';

/**
 * The runs of one worker process. A run has the process to itself as long as it is known to have killed workers, so
 * that the next death is known to be its own:
 *
 * | who asks for a place | when the place is given |
 * |---|---|
 * | a run | at once, unless a suspect waits or has its turn |
 * | a suspect | once every other run has left: each hands over after its next commit |
 *
 * Places are given in the order in which they were asked for, so neither kind waits for ever.
 */
export interface Company {
  /** Resolves with a place, and the outcome of the claim that is made there. */
  enter(isSuspect: boolean, claim: (how: Situation) => Promise<Entry>): Promise<Place>;
}

/** The outcome of a claim, or that none was made because the worker stops. */
export type Entry = Claim | { kind: 'stopping' };

export interface Place {
  claim: Entry;
  /** Writes that the others are no longer alone. Before it, the run is not worked on: its death would be theirs. */
  noteCompany(): Promise<void>;
  /** Notes a commit: a suspect is one no longer. Returns whether the run must leave, because a suspect waits. */
  afterCommit(): boolean;
  leave(): void;
}

interface Member {
  isSuspect: boolean;
  /** Whether the run's record says that it is alone. */
  isAlone: boolean;
  claimed: PromiseWithResolvers<Entry | undefined>;
  noting?: Promise<void>;
}

/** `writeCompany` writes that a run that was claimed alone is so no longer. */
export function createCompany(writeCompany: (agentId: string, token: string) => Promise<void>): Company {
  const members = new Set<Member>();
  const waiting: { member: Member; admit(): void }[] = [];

  function admitNext(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const isTaken = next.member.isSuspect
        ? members.size > 0
        : members.values().some((other) => other.isSuspect);
      if (isTaken) return;
      waiting.shift();
      members.add(next.member);
      next.admit();
    }
  }

  async function note(member: Member): Promise<void> {
    const claim = await member.claimed.promise;
    if (claim?.kind === 'claimed' && member.isAlone) await writeCompany(claim.run.agentId, claim.token);
    member.isAlone = false;
  }

  function noteOnce(member: Member): Promise<void> | undefined {
    if (!member.isAlone) return;
    member.noting ??= note(member).finally(() => delete member.noting);
    return member.noting;
  }

  function leave(member: Member): void {
    members.delete(member);
    admitNext();
  }

  return {
    async enter(isSuspect, claimRun) {
      const claimed = Promise.withResolvers<Entry | undefined>();
      const member: Member = { isSuspect, isAlone: false, claimed };
      await new Promise<void>((admit) => {
        waiting.push({ member, admit });
        admitNext();
      });
      const others = [...members].filter((other) => other !== member);
      member.isAlone = others.length === 0;
      try {
        const claim = await claimRun({ alone: member.isAlone, isSuspect });
        claimed.resolve(claim);
        return {
          claim,
          async noteCompany() {
            await Promise.all(others.map(noteOnce));
          },
          afterCommit() {
            member.isSuspect = false;
            admitNext();
            return waiting[0]?.member.isSuspect ?? false;
          },
          leave: () => leave(member),
        };
      } catch (error) {
        claimed.resolve(undefined);
        leave(member);
        throw error;
      }
    },
  };
}

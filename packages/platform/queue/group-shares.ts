/** The handlers that a poller may have at the same time, shared out among the groups of its messages. */
interface GroupShares {
  isFull(): boolean;
  /** For how many messages of one group there is room. At least one: it may be of a group that has no slot yet. */
  room(): number;
  /** Takes a slot for a message. False if its group has its share, unless it is to have one `anyway`; messages without a group have none. */
  take(group: string | undefined, anyway?: boolean): boolean;
  giveBack(group: string | undefined): void;
}

/**
 * A group may hold up to twice as many slots as are free. One alone gets two thirds of them, and however many there
 * are, some slots stay free for the next.
 */
export function createGroupShares(count: number): GroupShares {
  const held = new Map<string, number>();
  let free = count;
  const heldBy = (group: string) => held.get(group) ?? 0;
  return {
    isFull: () => free <= 0,
    room: () => Math.max(1, Math.ceil((2 * free - Math.max(0, ...held.values())) / 3)),
    take(group, anyway = false) {
      if (group !== undefined) {
        if (heldBy(group) >= 2 * free && !anyway) return false;
        held.set(group, heldBy(group) + 1);
      }
      free--;
      return true;
    },
    giveBack(group) {
      free++;
      if (group === undefined) return;
      if (heldBy(group) > 1) held.set(group, heldBy(group) - 1);
      else held.delete(group);
    },
  };
}

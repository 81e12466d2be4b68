/** A body that is still arriving. */
interface Arriving {
  /** Its memory is needed: nothing of it is kept after this call. */
  giveUp(): void;
}

/** Bounds the memory of the bodies that are still arriving. */
interface KeptBodies {
  /** Notes how much is kept of a body that has just brought more. */
  note(body: Arriving, bytes: number): void;
  /** The body is whole, or not wanted any more. */
  forget(body: Arriving): void;
}

/**
 * Past the bound, the body is given up that has brought nothing for the longest: whoever stalls makes room for those who
 * send.
 */
export function createKeptBodies(limitBytes: number): KeptBodies {
  /** Whoever has brought nothing for the longest comes first. */
  const bodies = new Map<Arriving, number>();
  let total = 0;
  const forget = (body: Arriving) => {
    total -= bodies.get(body) ?? 0;
    bodies.delete(body);
  };
  return {
    forget,
    note(body, bytes) {
      forget(body);
      bodies.set(body, bytes);
      total += bytes;
      for (const [idle] of bodies) {
        if (total <= limitBytes) break;
        forget(idle);
        idle.giveUp();
      }
    },
  };
}

import { type PaidCalls, paidCalls, type Spending } from '@errand/agent';
import type { SetAside } from '@errand/money';

/** A run's money in memory. */
export interface Purse extends Spending {
  leftNanoEuro: number;
  /** What is set aside at this time. */
  heldNanoEuro: number;
  spentNanoEuro: number;
}

export function createPurse(nanoEuro = Number.MAX_SAFE_INTEGER): Purse {
  const purse: Purse = {
    leftNanoEuro: nanoEuro,
    heldNanoEuro: 0,
    spentNanoEuro: 0,
    async reserve({ mostNanoEuro, within }) {
      const { leftNanoEuro } = purse;
      if (mostNanoEuro === 0) return hold(purse, 0);
      const amount = mostNanoEuro <= leftNanoEuro ? mostNanoEuro : await within(leftNanoEuro);
      return amount === undefined || leftNanoEuro <= 0 ? undefined : hold(purse, amount);
    },
    async end() {},
  };
  return purse;
}

function hold(purse: Purse, nanoEuro: number): SetAside {
  let held = nanoEuro;
  purse.leftNanoEuro -= nanoEuro;
  purse.heldNanoEuro += nanoEuro;
  const back = () => {
    purse.leftNanoEuro += held;
    purse.heldNanoEuro -= held;
    held = 0;
  };
  return {
    nanoEuro,
    extend: async () => false,
    async spend(amountNanoEuro) {
      back();
      purse.leftNanoEuro -= amountNanoEuro;
      purse.spentNanoEuro += amountNanoEuro;
      return { amountNanoEuro, reservation: { id: 'hold', nanoEuro, parts: [] } };
    },
    release: async () => back(),
  };
}

/** For runs that may spend as much as they like. */
export const unlimitedCalls = (): PaidCalls => paidCalls(createPurse());

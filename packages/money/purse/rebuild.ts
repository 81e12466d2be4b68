import type { Item } from '@errand/platform';
import { attributes, readPurse } from './purse.ts';

/**
 * The purse of an account whose table was restored: its balance is what the ledger says. If the purse is as it was when calls
 * ended that its ledger may know by now (`isOld`), nothing is on hold: what they held of budgets is given back.
 */
export function rebuildPurse(
  item: Item,
  { balanceNanoEuro, isOld }: { balanceNanoEuro: number; isOld: boolean },
): Item {
  const { holds, budgets } = readPurse(item);
  const rebuilt: Item = { ...item, [attributes.balance]: balanceNanoEuro };
  let heldNanoEuro = 0;
  for (const [id, { nanoEuro, budget }] of holds) {
    if (!isOld) {
      heldNanoEuro += nanoEuro;
      continue;
    }
    delete rebuilt[attributes.hold + id];
    if (budget && budgets.has(budget.name))
      rebuilt[budget.name] = Number(rebuilt[budget.name]) - budget.nanoEuro;
  }
  return { ...rebuilt, [attributes.available]: balanceNanoEuro - heldNanoEuro };
}

import { ConditionsFailed, getItem, type NamedWrite, updateItem } from '@errand/platform';
import type { StoreDeps } from '../deps.ts';
import type { ItemKey } from '../store.ts';
import type { Plan } from './plan.ts';
import { attributes, type Hold, holdAttribute, type Purse, readPurse, writeHold } from './purse.ts';

export const readStoredPurse = async (deps: StoreDeps, key: ItemKey): Promise<Purse> =>
  readPurse(await getItem(deps, deps.tables.accounts, key));

/** The parts of an UpdateExpression and of its condition. Names and values are numbered as they are used. */
function createExpression() {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const parts = {
    SET: [] as string[],
    ADD: [] as string[],
    REMOVE: [] as string[],
    condition: [] as string[],
  };
  return {
    ...parts,
    name(attribute: string): string {
      const placeholder = `#n${Object.keys(names).length}`;
      names[placeholder] = attribute;
      return placeholder;
    },
    value(value: unknown): string {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = value;
      return placeholder;
    },
    build() {
      const clauses = (['SET', 'ADD', 'REMOVE'] as const).filter((clause) => parts[clause].length > 0);
      return {
        UpdateExpression: clauses.map((clause) => `${clause} ${parts[clause].join(', ')}`).join(' '),
        ExpressionAttributeNames: names,
        ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
      };
    },
  };
}

type Expression = ReturnType<typeof createExpression>;

/** Adds to what is available. Before the first reservation that is the whole balance, as it was before this write. */
function addAvailable(expression: Expression, nanoEuro: number): void {
  const available = expression.name(attributes.available);
  const balance = expression.name(attributes.balance);
  const amount = expression.value(nanoEuro);
  expression.SET.push(`${available} = if_not_exists(${available}, ${balance}) + ${amount}`);
}

/** The purse after a write, or the purse that did not let it happen. */
export type Entry = { done: boolean; purse: Purse };

/**
 * Lets requests in as planned, in one write: counts them, and takes what is set aside. Not done if the purse has less, or
 * has more requests, than the plan took it to have. Attributes of windows that have ended are removed on the way.
 */
export async function writeEntry(
  deps: StoreDeps,
  key: ItemKey,
  plan: Plan,
  ended: readonly string[],
): Promise<Entry> {
  const expression = createExpression();
  const { name, value, SET, ADD, REMOVE, condition } = expression;
  for (const [attribute, { added, limit }] of plan.counts) {
    const window = name(attribute);
    ADD.push(`${window} ${value(added)}`);
    condition.push(`(attribute_not_exists(${window}) OR ${window} <= ${value(limit - added)})`);
  }
  if (plan.needsCredits) {
    const [available, balance] = [name(attributes.available), name(attributes.balance)];
    const least = value(Math.max(1, plan.takenNanoEuro));
    condition.push(
      `(${available} >= ${least} OR (attribute_not_exists(${available}) AND ${balance} >= ${least}))`,
    );
  }
  if (plan.takenNanoEuro > 0) addAvailable(expression, -plan.takenNanoEuro);
  for (const [attribute, { takenNanoEuro, limit }] of plan.budgets) {
    const budget = name(attribute);
    ADD.push(`${budget} ${value(takenNanoEuro)}`);
    const room = value(limit - Math.max(1, takenNanoEuro));
    condition.push(`(attribute_not_exists(${budget}) OR ${budget} <= ${room})`);
  }
  for (const [id, hold] of plan.holds) {
    const attribute = name(holdAttribute(id));
    SET.push(`${attribute} = ${value(writeHold(hold))}`);
    condition.push(`attribute_not_exists(${attribute})`);
  }
  for (const attribute of ended) REMOVE.push(name(attribute));
  return tryUpdate(deps, key, expression, 'purse-has-it');
}

async function tryUpdate(
  deps: StoreDeps,
  key: ItemKey,
  expression: Expression,
  condition: string,
): Promise<Entry> {
  try {
    const item = await updateItem(deps, {
      TableName: deps.tables.accounts,
      Key: key,
      ...expression.build(),
      condition,
      ConditionExpression: expression.condition.join(' AND '),
      ReturnValues: 'ALL_NEW',
    });
    return { done: true, purse: readPurse(item) };
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    return { done: false, purse: readPurse(error.item(condition)) };
  }
}

/** A change of a hold that this process has. `before` is the hold as this process last wrote it. */
interface HoldChange {
  id: string;
  before: Hold;
  /** Undefined if the hold ends. */
  after?: Hold;
  /** The limit of the budget that a growing hold counts in, if there is such a budget. */
  budgetLimit?: number;
}

/**
 * Changes a hold, and what it takes from the purse, if the hold is unchanged in the store. If the hold takes more,
 * the purse must have that much.
 */
export function writeHoldChange(deps: StoreDeps, key: ItemKey, change: HoldChange): Promise<Entry> {
  const { id, before, after } = change;
  const expression = createExpression();
  const { name, value, SET, REMOVE, condition } = expression;
  const attribute = name(holdAttribute(id));
  condition.push(`${attribute} = ${value(writeHold(before))}`);
  if (after) SET.push(`${attribute} = ${value(writeHold(after))}`);
  else REMOVE.push(attribute);
  const more = (after?.nanoEuro ?? 0) - before.nanoEuro;
  if (more !== 0) addAvailable(expression, -more);
  if (more > 0) condition.push(`${name(attributes.available)} >= ${value(more)}`);
  const budget = after?.budget ?? before.budget;
  const moreOfBudget = (after?.budget?.nanoEuro ?? 0) - (before.budget?.nanoEuro ?? 0);
  if (budget && moreOfBudget !== 0) {
    const spent = name(budget.name);
    expression.ADD.push(`${spent} ${value(moreOfBudget)}`);
    // The budget of a period that has ended may be removed while its call goes on.
    const hasRoom = (most: number) => `(attribute_not_exists(${spent}) OR ${spent} <= ${value(most)})`;
    if (moreOfBudget > 0) condition.push(hasRoom((change.budgetLimit ?? 0) - moreOfBudget));
  }
  return tryUpdate(deps, key, expression, 'hold-unchanged');
}

/** Divides a hold in two, if it is unchanged in the store. The sum of what both take stays the same. */
export function writeSplit(
  deps: StoreDeps,
  key: ItemKey,
  { id, before, after, other }: HoldChange & { after: Hold; other: { id: string; hold: Hold } },
): Promise<Entry> {
  const expression = createExpression();
  const { name, value, SET, condition } = expression;
  const attribute = name(holdAttribute(id));
  condition.push(`${attribute} = ${value(writeHold(before))}`);
  SET.push(`${attribute} = ${value(writeHold(after))}`);
  SET.push(`${name(holdAttribute(other.id))} = ${value(writeHold(other.hold))}`);
  return tryUpdate(deps, key, expression, 'hold-unchanged');
}

/** Corrects the available amount, if the purse has not changed since it was read. */
export function writeDrift(deps: StoreDeps, key: ItemKey, purse: Purse, drift: number): Promise<Entry> {
  const expression = createExpression();
  const { name, value, condition } = expression;
  condition.push(
    `${name(attributes.balance)} = ${value(purse.balanceNanoEuro)}`,
    `${name(attributes.available)} = ${value(purse.availableNanoEuro)}`,
  );
  addAvailable(expression, -drift);
  return tryUpdate(deps, key, expression, 'purse-unchanged');
}

/** What settled charges change in a purse. */
export interface Settlement {
  /** Taken from the balance. */
  spentNanoEuro: number;
  /** Spent of budgets, by their attributes. */
  spentOfBudgets: Map<string, number>;
  /** Holds that end. What they took is given back. */
  holds: Map<string, Hold>;
  /** Amounts that the purse must have, because no hold has them any more. */
  anew: { nanoEuro: number; fromBalance: boolean; budget?: string; budgetLimit?: number }[];
}

/**
 * The write of a settlement, for a transaction. Undefined if it changes nothing. Condition: `holdsUnchanged` if holds end, all
 * of which must be as they are known, or if the purse must have something.
 */
export function settlementWrite(
  deps: Pick<StoreDeps, 'tables'>,
  key: ItemKey,
  { spentNanoEuro, spentOfBudgets, holds, anew }: Settlement,
): NamedWrite | undefined {
  const expression = createExpression();
  const { name, value, ADD, REMOVE, condition } = expression;
  const budgets = new Map(spentOfBudgets);
  let backNanoEuro = 0;
  for (const [id, hold] of holds) {
    const { nanoEuro, budget } = hold;
    const attribute = name(holdAttribute(id));
    REMOVE.push(attribute);
    condition.push(`${attribute} = ${value(writeHold(hold))}`);
    backNanoEuro += nanoEuro;
    if (budget) budgets.set(budget.name, (budgets.get(budget.name) ?? 0) - budget.nanoEuro);
  }
  if (backNanoEuro !== spentNanoEuro || (spentNanoEuro !== 0 && holds.size === 0))
    addAvailable(expression, backNanoEuro - spentNanoEuro);
  if (spentNanoEuro !== 0) ADD.push(`${name(attributes.balance)} ${value(-spentNanoEuro)}`);
  for (const [budget, change] of budgets) if (change !== 0) ADD.push(`${name(budget)} ${value(change)}`);
  const sumOf = (some: Settlement['anew']) => some.reduce((sum, { nanoEuro }) => sum + nanoEuro, 0);
  const ofBalance = anew.filter(({ fromBalance }) => fromBalance);
  if (ofBalance.length > 0) condition.push(`${name(attributes.available)} >= ${value(sumOf(ofBalance))}`);
  for (const [budget, some] of Map.groupBy(anew, (one) => one.budget)) {
    if (budget === undefined) continue;
    const spent = name(budget);
    const room = value((some[0]?.budgetLimit ?? 0) - sumOf(some));
    condition.push(`(attribute_not_exists(${spent}) OR ${spent} <= ${room})`);
  }
  const built = expression.build();
  if (built.UpdateExpression === '') return undefined;
  const Update = { TableName: deps.tables.accounts, Key: key, ...built };
  return condition.length === 0
    ? { Update }
    : {
        condition: holdsUnchanged,
        Update: { ...Update, ConditionExpression: condition.join(' AND ') },
      };
}

export const holdsUnchanged = 'holds-unchanged';

/** The write that gives holds of a purse another end, for a transaction. Condition: `holdsUnchanged`. */
export function prolongWrite(
  deps: Pick<StoreDeps, 'tables'>,
  key: ItemKey,
  holds: ReadonlyMap<string, { before: Hold; after: Hold }>,
): NamedWrite {
  const { name, value, SET, condition, build } = createExpression();
  for (const [id, { before, after }] of holds) {
    const attribute = name(holdAttribute(id));
    SET.push(`${attribute} = ${value(writeHold(after))}`);
    condition.push(`${attribute} = ${value(writeHold(before))}`);
  }
  const Update = { TableName: deps.tables.accounts, Key: key, ...build() };
  return { condition: holdsUnchanged, Update: { ...Update, ConditionExpression: condition.join(' AND ') } };
}

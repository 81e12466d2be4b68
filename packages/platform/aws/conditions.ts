import { type Attributes, fromAttributes, type Item } from './attributes.ts';

/** Makes AWS send the item that failed a condition, so that a write that lost needs no read to learn who won. */
export const returnLoser = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** A condition that did not hold, and the item that AWS sent with the failure. */
interface FailedCondition {
  name: string;
  item: Attributes | undefined;
}

/** A write, or a transaction, that wrote nothing because these named conditions did not hold. */
export class ConditionsFailed extends Error {
  override readonly name = 'ConditionsFailed';
  readonly conditions: readonly string[];
  readonly #items: ReadonlyMap<string, FailedCondition['item']>;

  constructor(failed: readonly FailedCondition[]) {
    const names = failed.map(({ name }) => name);
    super(`conditions failed: ${names.join(', ')}`);
    this.conditions = names;
    this.#items = new Map(failed.map(({ name, item }) => [name, item]));
  }

  has(condition: string): boolean {
    return this.conditions.includes(condition);
  }

  /** The item that failed this condition, as it was then; undefined if there was no item. */
  item(condition: string): Item | undefined {
    const item = this.#items.get(condition);
    return item && fromAttributes(structuredClone(item));
  }
}

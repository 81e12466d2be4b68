import { type Expression, type ExpressionKind, readExpression } from './language/read-expression.ts';
import type { Operation } from './operations.ts';

const kinds = {
  ConditionExpression: 'condition',
  FilterExpression: 'condition',
  KeyConditionExpression: 'condition',
  ProjectionExpression: 'projection',
  UpdateExpression: 'update',
} as const satisfies Partial<Record<keyof Operation, ExpressionKind>>;

export interface NamedExpression extends Expression {
  /** The parameter that holds it, such as `UpdateExpression`. */
  parameter: keyof typeof kinds;
  text: string;
}

const known = new WeakMap<Operation, NamedExpression[]>();

/** The expressions of an operation. They are read once, because every rule needs them. */
export function expressionsOf(operation: Operation): NamedExpression[] {
  let expressions = known.get(operation);
  if (!expressions) {
    expressions = readAll(operation);
    known.set(operation, expressions);
  }
  return expressions;
}

const parameters = Object.keys(kinds) as (keyof typeof kinds)[];

const readAll = (operation: Operation): NamedExpression[] =>
  parameters
    .filter((parameter) => operation[parameter] !== undefined)
    .map((parameter) => {
      const text = operation[parameter] as string;
      return { ...readExpression(kinds[parameter], text), parameter, text };
    });

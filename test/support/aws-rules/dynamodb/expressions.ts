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

export const expressionsOf = (operation: Operation): NamedExpression[] =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((parameter) => {
    const text = operation[parameter];
    return text === undefined ? [] : [{ ...readExpression(kinds[parameter], text), parameter, text }];
  });

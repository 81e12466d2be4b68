import type { Rule } from '../sent.ts';
import { type Operation, operationsOf } from './operations.ts';

/** What an operation says, without its values and the place that it says it of. */
const shapeOf = (operation: Operation): string => {
  let values = '';
  for (const name in operation.ExpressionAttributeValues) values += name;
  const { ConditionExpression, UpdateExpression, KeyConditionExpression, FilterExpression } = operation;
  return JSON.stringify([
    ConditionExpression,
    UpdateExpression,
    KeyConditionExpression,
    FilterExpression,
    operation.ProjectionExpression,
    operation.ExpressionAttributeNames,
    operation.ExpressionAttributeValues && values,
  ]);
};

const shapes = new WeakMap<Operation, string>();

function shape(operation: Operation): string {
  let found = shapes.get(operation);
  if (found === undefined) {
    found = shapeOf(operation);
    shapes.set(operation, found);
  }
  return found;
}

/** A rule of expressions and the names of their placeholders. The service has few of them, so each is looked at once. */
export function ruleByShape(problemsOf: (operation: Operation) => string[]): Rule {
  const known = new Map<string, string[]>();
  return (sent) => {
    const problems: string[] = [];
    for (const operation of operationsOf(sent)) {
      const id = shape(operation);
      let found = known.get(id);
      if (!found) {
        found = problemsOf(operation);
        known.set(id, found);
      }
      problems.push(...found);
    }
    return problems;
  };
}

import type { Rule } from '../sent.ts';
import { operationsOf } from './operations.ts';

const shownByPuts = ['NONE', 'ALL_OLD'];
const shownByUpdates = [...shownByPuts, 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'];
const older = [
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
];
const name = /^[\w.-]{3,255}$/;
const longestKeyNameBytes = 255;

/** Names of tables, indexes and key attributes, and parameters that do not go together. */
export const parameterProblems: Rule = (sent) => {
  const { input } = sent;
  const tables = Object.keys(input.RequestItems ?? {});
  const operations = operationsOf(sent);
  const given = [...tables, ...operations.map(({ table }) => table), input.TableName].filter(
    (table) => table !== undefined,
  );
  const problems = given
    .filter((table) => !name.test(table))
    .map((table) => `names: no table has the name ${table}`);
  const created: { IndexName: string }[] = input.GlobalSecondaryIndexes ?? [];
  for (const index of [...created.map(({ IndexName }) => IndexName), input.IndexName])
    if (index !== undefined && !name.test(index)) problems.push(`names: no index has the name ${index}`);
  for (const { AttributeName } of input.AttributeDefinitions ?? [])
    if (Buffer.byteLength(AttributeName) > longestKeyNameBytes)
      problems.push(`names: the key attribute ${AttributeName.slice(0, 20)} is too long`);
  for (const { kind, ReturnValues } of operations) {
    const allowed = kind === 'Update' ? shownByUpdates : shownByPuts;
    if (ReturnValues !== undefined && !allowed.includes(ReturnValues))
      problems.push(`parameters: ReturnValues is ${ReturnValues}`);
  }
  const legacy = older.filter((parameter) => input[parameter] !== undefined);
  const hasExpression = Object.keys(input).some((parameter) => parameter.endsWith('Expression'));
  if (hasExpression)
    problems.push(...legacy.map((parameter) => `parameters: ${parameter} beside an expression`));
  return problems;
};

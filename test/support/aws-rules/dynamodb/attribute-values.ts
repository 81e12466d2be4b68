import type { Rule } from '../sent.ts';
import { type Operation, operationsOf, type Value } from './operations.ts';

const mostDigits = 38;
const mostLevels = 32;
const longestNameBytes = 65_535;

/** Values that DynamoDB does not store: numbers, sets, nested documents. */
export const attributeValueProblems: Rule = (sent) => {
  const problems: string[] = [];
  for (const { Item, Key, ExpressionAttributeValues } of operationsOf(sent))
    for (const attributes of [Item, Key, ExpressionAttributeValues])
      if (attributes) mapProblems(attributes, 0, problems);
  return problems;
};

type Attributes = NonNullable<Operation['Item']>;

function mapProblems(attributes: Attributes, level: number, problems: string[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === '') problems.push('attribute names: one is empty');
    if (name.length > longestNameBytes / 4 && Buffer.byteLength(name) > longestNameBytes)
      problems.push(`attribute names: one is longer than ${longestNameBytes} bytes`);
    valueProblems(name, value, level, problems);
  }
}

function valueProblems(name: string, value: Value, level: number, problems: string[]): void {
  if (level > mostLevels)
    return void problems.push(`values: ${name} is nested deeper than ${mostLevels} levels`);
  const [type, ...others] = Object.keys(value);
  if (type === undefined || others.length > 0)
    return void problems.push(`values: ${name} has ${others.length + 1} types, not one`);
  const { N, NULL, M, L } = value as { N?: string; NULL?: boolean; M?: Attributes; L?: Value[] };
  if (N !== undefined) numberProblem(name, N, problems);
  if (NULL === false) problems.push(`values: the null of ${name} is false`);
  if (M) mapProblems(M, level + 1, problems);
  if (L) for (const each of L) valueProblems(name, each, level + 1, problems);
  if (type.length === 2) setProblems(name, type, value[type] as (string | Uint8Array)[], problems);
}

function numberProblem(name: string, text: string, problems: string[]): void {
  const parts = /^\s*-?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?\s*$/.exec(text);
  const all = `${parts?.[1] ?? ''}${parts?.[2] ?? ''}`;
  if (all === '') return void problems.push(`numbers: ${name} is ${JSON.stringify(text)}`);
  const digits = all.replace(/^0+/, '');
  const exact = digits.replace(/0+$/, '').length;
  if (exact > mostDigits) problems.push(`numbers: ${name} has ${exact} digits, more than ${mostDigits}`);
  if (exact === 0) return;
  const exponent = Number(parts?.[3] ?? 0) + digits.length - 1 - (parts?.[2] ?? '').length;
  if (exponent > 125 || exponent < -130) problems.push(`numbers: ${name} is out of range`);
}

function setProblems(name: string, type: string, set: (string | Uint8Array)[], problems: string[]): void {
  if (set.length === 0) return void problems.push(`sets: ${name} is empty`);
  const members = set.map((member) => (type === 'BS' ? Buffer.from(member).toString('hex') : String(member)));
  const distinct = new Set<string | number>(type === 'NS' ? members.map(Number) : members);
  if (type === 'NS') for (const member of members) numberProblem(name, member, problems);
  if (distinct.size < members.length) problems.push(`sets: ${name} has a member twice`);
}

import { expect, test } from 'vitest';
import { readSources } from './sources.ts';

/** The local room plays DynamoDB's time to live, for which nobody waits. */
const sources = readSources().filter(
  ({ file, isTest }) =>
    !isTest && /^(packages|functions)\//.test(file) && !/^packages\/(platform|local)\/aws\//.test(file),
);

const imports = /import (?:type )?\{([^}]*)\} from '@aws-sdk\/(?:lib|client)-dynamodb'/g;

const importing = (raw: RegExp) =>
  sources.filter(({ text }) => [...text.matchAll(imports)].some(([, names = '']) => raw.test(names)));

test('stores write items through platform alone, and name every condition', () => {
  const raw =
    /\b((Put|Update|Delete|TransactWrite|BatchWrite)(Item|Items)?Command|ConditionalCheckFailedException)\b/;
  expect(importing(raw).map(({ file }) => file)).toEqual([]);
});

test('stores read items through platform alone', () => {
  const raw = /\b((BatchGet|Get|TransactGet|Query|Scan)(Item|Items)?Command|paginate(Query|Scan))\b/;
  expect(importing(raw)).toEqual([]);
});

/** Beside stores: what others write in their own transactions. */
const withExpressions = [
  'packages/money/ledger.ts',
  'packages/runs/commit.ts',
  'packages/runs/event-log.ts',
  'packages/runs/lease.ts',
];

test('only stores have DynamoDB expressions', () => {
  const expression = /\b\w+Expression\b|\bExpressionAttribute(Names|Values)\b/;
  const wrong = sources.filter(
    ({ file, text }) => expression.test(text) && !/\/(store|[\w-]+-store|writes)\.ts$/.test(file),
  );
  expect(wrong.map(({ file }) => file).sort()).toEqual(withExpressions);
});

test('a condition on the status of a run comes from the lifecycle', () => {
  const condition = /#status (IN|<>|= :(?!to\b))/;
  const found = sources.filter(({ room, text }) => room === 'runs' && condition.test(text));
  expect(found.map(({ file }) => file)).toEqual(['packages/runs/lifecycle.ts']);
});

test('each key prefix of the table Runs is written in one place', () => {
  const places = ['RUN#', 'IDEMPOTENCY#', 'UPLOAD#', 'EVENT#'].map((prefix) =>
    sources.filter(({ text }) => text.includes(prefix)).map(({ file }) => file),
  );
  const table = ['packages/platform/tables.ts'];
  expect(places).toEqual([table, table, table, ['packages/runs/item-keys.ts']]);
});

import { expect, test } from 'vitest';
import { type KnownTables, serviceTables } from './dynamodb/tables.ts';
import type { Rule } from './sent.ts';

/** A command with what AWS says of it: words of the rule that it breaks, or that it takes it. */
export type Row = [what: string, verdict: string, command: string, input: object];

/** For rows that AWS takes. */
export const taken = 'taken';

/** A test of a rule for each row. */
export function testRows(rule: Rule, rows: readonly Row[], tables: KnownTables = serviceTables()): void {
  test.each(rows)('%s: %s', (_, verdict, command, input) => {
    const problems = rule({ command, input, tables });
    if (verdict === taken) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringContaining(verdict)]);
  });
}

/** The key of an item in a table of the service. */
export const keyOf = (pk: string, sk = 's') => ({ pk: { S: pk }, sk: { S: sk } });

/** A command on one item of the table `Values`. */
export const onItem = (more: object) => ({ TableName: 'Values', Key: keyOf('p'), ...more });

export const putOf = (more: object) => ({ TableName: 'Values', Item: { ...keyOf('p'), ...more } });

/** A query of the ledger's index. */
export const ledgerQuery = (more: object) => ({
  TableName: 'Accounts',
  IndexName: 'ledgerByTime',
  KeyConditionExpression: 'ledger = :l',
  ExpressionAttributeValues: { ':l': { S: 'LEDGER#1' } },
  ...more,
});

import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAwsClients } from '@errand/platform';
import { accountsRule, type Ledgers } from './copying/accounts-rule.ts';
import { type Copied, copyItems, missingOnly, type Rule } from './copying/copy-items.ts';
import { keepBooks } from './copying/keep-books.ts';
import { refuseStagesTable } from './copying/refuse-stages-table.ts';
import { skillsRule } from './copying/skills-rule.ts';

/** docs/operate.md says what each one loses. */
const ruleNames = ['missing', 'accounts', 'skills'] as const;

interface Copying {
  from: string;
  to: string;
  rule?: (typeof ruleNames)[number];
  ledgers?: Ledgers;
  progressFile?: string;
  onPage?(soFar: Copied): void;
}

/** Copies from one table to another what the rule says. Nobody else may write them meanwhile. */
export async function copyTable(
  dynamodb: DynamoDBDocumentClient,
  { from, to, rule = 'missing', ledgers = 'both', ...rest }: Copying,
): Promise<Copied> {
  if (rule === 'accounts') await refuseStagesTable(dynamodb, to);
  const rules: Record<typeof rule, () => Rule> = {
    missing: () => missingOnly,
    accounts: () => accountsRule(ledgers),
    skills: () => skillsRule(dynamodb, { from, to }),
  };
  const copied = await copyItems(dynamodb, { from, to, rule: rules[rule](), ...rest });
  if (rule === 'accounts')
    await keepBooks(dynamodb, { table: to, current: ledgers === 'both' ? from : undefined });
  return copied;
}

/** Makes the balances of a restored table what its ledgers say. Returns the number of accounts. */
export async function makeBooks(dynamodb: DynamoDBDocumentClient, table: string): Promise<number> {
  await refuseStagesTable(dynamodb, table);
  return keepBooks(dynamodb, { table });
}

/** By ids, because a table that was restored once more may have the name of the one before. */
async function nameProgress(dynamodb: DynamoDBDocumentClient, tables: readonly string[]): Promise<string> {
  const described = tables.map((TableName) => dynamodb.send(new DescribeTableCommand({ TableName })));
  return ['copy', ...(await Promise.all(described)).map(({ Table }) => Table?.TableId)].join('-');
}

const usage = `usage: AWS_REGION=REGION node scripts/copy-table.ts FROM TO [--rule ${ruleNames.join('|')}] [--ledgers both|restored]
       AWS_REGION=REGION node scripts/copy-table.ts --books TABLE`;

async function main(dynamodb: DynamoDBDocumentClient, given: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { rule: { type: 'string' }, ledgers: { type: 'string' }, books: { type: 'string' } },
  });
  const [from, to, ...others] = positionals;
  const isKnown = ruleNames.some((name) => name === (values.rule ?? 'missing'));
  const ledgers = values.ledgers ?? 'both';
  if (values.books !== undefined && from === undefined) {
    console.log(`${await makeBooks(dynamodb, values.books)} accounts have the balance of their ledger.`);
    return;
  }
  if (!from || !to || others.length > 0 || !isKnown || !['both', 'restored'].includes(ledgers))
    throw new Error(usage);
  const begun = performance.now();
  const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`;
  const copied = await copyTable(dynamodb, {
    from,
    to,
    rule: values.rule as Copying['rule'],
    ledgers: ledgers as Ledgers,
    progressFile: path.join(
      tmpdir(),
      `${await nameProgress(dynamodb, [from, to])}-${values.rule}-${ledgers}.json`,
    ),
    onPage: (soFar) => console.error(`${seconds()}: ${soFar.copied} copied, ${soFar.kept} kept`),
  });
  console.log({ ...copied, after: seconds() });
}

if (import.meta.main) {
  const region = process.env.AWS_REGION;
  try {
    if (!region) throw new Error(usage);
    await main(createAwsClients({ region, endpoints: {} }).dynamodb, process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

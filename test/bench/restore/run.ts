import { parseArgs } from 'node:util';
import { createAccount } from '@errand/accounts';
import { checkBalances } from '@errand/money';
import { tableDefinitions, toIso } from '@errand/platform';
import { copyTable } from '../../../scripts/copy-table.ts';
import { type Copied, copyItems } from '../../../scripts/copying/copy-items.ts';
import { keepBooks } from '../../../scripts/copying/keep-books.ts';
import { testAccounts } from '../../support/accounts.ts';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { printTable } from '../figures.ts';
import { seedLedger } from '../usage/seed.ts';

const day = 24 * 60 * 60 * 1000;
const accountsAtOnce = 20;

/** How long it takes to go back to a table of accounts: copying it whole, giving a restored one what came after, and checking it. */
export default async function run(args: string[] = []): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      items: { type: 'string', default: '100000' },
      accounts: { type: 'string', default: '1000' },
    },
  });
  const dynamo = await startTestDynamo();
  try {
    await measure(dynamo, Number(values.items), Number(values.accounts));
  } finally {
    await dynamo.close();
  }
}

type Dynamo = Awaited<ReturnType<typeof startTestDynamo>>;

async function measure(dynamo: Dynamo, items: number, accounts: number): Promise<void> {
  const { dynamodb, tables } = dynamo;
  const from = tables.accounts;
  const now = Date.now();
  const moment = now - 3 * day;
  await fill(dynamo, { items, accounts, from: now - 30 * day, to: now });
  const newTable = async (name: string) => {
    await dynamo.make({ ...tableDefinitions.accounts, name });
    return name;
  };
  const rows: (string | number)[][] = [];
  const timed = async (what: string, work: () => Promise<Copied | undefined>) => {
    const begun = performance.now();
    const before = dynamo.requests();
    const cpu = process.cpuUsage();
    const done = await work();
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (value: number) => `${value.toFixed(1)} s`;
    rows.push([
      what,
      done ? done.copied + done.kept : '',
      done?.copied ?? '',
      dynamo.requests() - before,
      seconds((performance.now() - begun) / 1000),
      seconds((user + system) / 1e6),
    ]);
  };
  const whole = await newTable('whole');
  await timed('all of it into an empty table', () => copyTable(dynamodb, { from, to: whole }));
  const restored = await newTable('restored');
  // As it was three days before: a tenth of the entries came after.
  const old = toIso(moment);
  await copyItems(dynamodb, {
    from,
    to: restored,
    rule: (item) => (String(item.at ?? '') < old ? item : undefined),
  });
  await timed('what came after the moment, and the balances', () =>
    copyTable(dynamodb, { from, to: restored, rule: 'accounts' }),
  );
  await timed('the balances alone', async () => {
    await keepBooks(dynamodb, { table: restored });
    return undefined;
  });
  let problems = 0;
  await timed('the check of all balances', async () => {
    const deps = { dynamodb, tables: { ...tables, accounts: restored } };
    for await (const _ of checkBalances(deps)) problems++;
    return undefined;
  });
  printTable(['what', 'items read', 'copied', 'requests', 'time', 'CPU without the store'], rows);
  console.log(`\nBalances that are not the sum of their ledger: ${problems} of ${accounts}.`);
}

/** Accounts whose balances are wrong, as if a bug had written them: entries are written without them. */
async function fill(
  dynamo: Dynamo,
  { items, accounts, from, to }: { items: number; accounts: number; from: number; to: number },
): Promise<void> {
  const deps = testAccounts(dynamo);
  // An account, its purse and its first credits are three items.
  const entries = Math.ceil(items / accounts) - 3;
  for (let at = 0; at < accounts; at += accountsAtOnce)
    await Promise.all(
      Array.from({ length: Math.min(accountsAtOnce, accounts - at) }, async () => {
        const { accountId } = await createAccount(deps, { name: 'Account', creditsNanoEuro: 10_000_000_000 });
        await seedLedger(dynamo, accountId, { from, to, entries });
      }),
    );
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { loadCatalogue } from '@errand/models';
import { issuesOf, readConfig, stageTablePrefix } from '@errand/platform';
import * as v from 'valibot';
import { concurrencyProblems } from '../infra/concurrency.ts';
import { domainOf, type Settings, settingsSchema } from '../infra/settings.ts';
import { lackingOf } from './restore-table.ts';

/** Variables that the stack sets, with made-up values. */
export const added = {
  TABLE_NAMES: '{}',
  QUEUE_URL: 'https://queue.example.com',
  WEBHOOK_QUEUE_URL: 'https://queue.example.com',
  BUCKET_NAME: 'bucket',
  LINK_SECRET: 'x'.repeat(48),
  STORE_SECRET: 'x'.repeat(48),
  SEARCH_API_KEY: 'key',
};

/** What is known of the account. Absent is what it may not be asked. */
interface Account {
  /** What it has of Lambda's concurrency: its quota, and what no function reserves, of any stage. */
  concurrency?: { all: number; free: number };
  /** What the tables that are to serve in place of the stage's own lack, by their names; undefined if there is no such table. */
  lacking?: ReadonlyMap<string, readonly string[] | undefined>;
}

/** Throws with every problem that would keep the deploy from working, or the deployed functions from starting. */
export async function checkSettings(
  stage: string,
  settings: Record<string, unknown>,
  account: Account = {},
): Promise<void> {
  const { issues = [] } = v.safeParse(settingsSchema, settings);
  const problems = issuesOf(issues).map(({ field, problem }) => `${field} ${problem}`);
  const wrong = new Set(issues.map(({ path }) => path?.[0]?.key));
  const right = Object.entries(settings).filter(([name]) => !wrong.has(name));
  problems.push(...relations(stage, Object.fromEntries(right), account));
  problems.push(...(await problemsOfFunctions(settings)));
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
}

/** Problems between settings that are right by themselves, and between them and the account. */
function relations(stage: string, settings: Partial<Settings>, { concurrency, lacking }: Account): string[] {
  const problems = concurrencyProblems(settings, concurrency?.all);
  const domain = domainOf(settings)?.name;
  if (domain !== undefined && domain === settings.largeUploads?.domain)
    problems.push('largeUploads.domain must be another name than domain');
  const chatDomain = settings.containers?.chat?.domain;
  if (chatDomain !== undefined && [domain, settings.largeUploads?.domain].includes(chatDomain))
    problems.push('containers.chat.domain must be another name than domain and largeUploads.domain');
  if (chatDomain !== undefined && settings.vpc)
    problems.push(
      'containers.chat stands in a network of its own, from which the model servers in vpc are not reached: leave out one of them',
    );
  if (settings.monthlyDollars !== undefined && settings.alarmEmail === undefined)
    problems.push('monthlyDollars needs alarmEmail, which its mails are sent to');
  for (const [table, name] of Object.entries(settings.tables ?? {})) {
    const prefix = stageTablePrefix(stage, table);
    if (!name.startsWith(prefix))
      problems.push(`tables.${table} must begin with ${prefix}: by that, operators' commands find a table`);
    if (!lacking?.has(name)) continue;
    const lack = lacking.get(name);
    if (!lack) problems.push(`tables.${table}: there is no table ${name}`);
    else if (lack.length > 0)
      problems.push(
        `tables.${table} has no ${lack.join(', no ')}: scripts/restore-table.ts FROM ${name} completes it`,
      );
  }
  return problems;
}

/** Why the functions would not start with the environment and the catalogue. What has not its form is told already. */
async function problemsOfFunctions({
  environment = {},
  catalogue,
}: Record<string, unknown>): Promise<string[]> {
  if (typeof catalogue !== 'string') return [];
  const texts = Object.entries(environment as object).filter(([, value]) => typeof value === 'string');
  try {
    const variables = { ...Object.fromEntries(texts), ...added, MODEL_CATALOGUE: catalogue };
    await loadCatalogue({ ...readConfig('cloud', variables), secret: () => 'key' });
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

async function askAccount({ region, tables = {} }: Partial<Settings>): Promise<Account> {
  const options = { region, maxAttempts: 2 };
  const lambda = new LambdaClient(options);
  const dynamodb = new DynamoDBClient(options);
  const concurrency = await unlessRefused('runsAtOnce is taken as it is', async () => {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: all, UnreservedConcurrentExecutions: free } = AccountLimit ?? {};
    return all === undefined || free === undefined ? undefined : { all, free };
  });
  const names = Object.values(tables);
  const lacking = await unlessRefused(
    'tables are taken as they are',
    async () =>
      new Map(await Promise.all(names.map(async (name) => [name, await lackingOf(dynamodb, name)] as const))),
  );
  return { concurrency, lacking };
}

/** A deploy whose credentials may not ask for it goes on. */
async function unlessRefused<T>(then: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    console.error(`The account does not say (${(error as Error).name}): ${then}.`);
    return undefined;
  }
}

/** `check-settings.ts STAGE SETTINGS` prints what the account has of concurrency, as JSON. */
if (import.meta.main) {
  try {
    const [stage = '', given = ''] = process.argv.slice(2);
    const settings = JSON.parse(given) as Record<string, unknown>;
    const account = await askAccount(settings);
    await checkSettings(stage, settings, account);
    console.log(JSON.stringify({ concurrency: account.concurrency }));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

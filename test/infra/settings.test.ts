import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits, servingTag } from '@errand/platform';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fitConcurrency, invocationsFor } from '../../infra/concurrency.ts';
import { functionShapes, toPascalCase } from '../../infra/functions.ts';
import { locationOf, settingsOf } from '../../infra/settings.ts';
import { checkSettings } from '../../scripts/check-settings.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, unwrap } from '../support/sst/stack.ts';

test.each(['production', 'staging', 'somebody'])(
  'the settings of %s let the functions start',
  async (stage) => {
    await expect(checkSettings(stage, settingsOf(stage))).resolves.toBeUndefined();
  },
);

/** What is said of the settings of production with these changes, a line each. */
async function said(changes: object, account?: Parameters<typeof checkSettings>[2]): Promise<string[]> {
  const checking = checkSettings('production', { ...settingsOf('production'), ...changes }, account);
  return checking.then(
    () => [],
    (error: Error) => error.message.split('\n'),
  );
}

const vpc = { subnets: ['subnet-0a1b'], securityGroups: ['sg-0a1b'] };
const alarmEmail = 'operator@example.com';
const aws = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/0b8f7d1e`;
const vault = 'arn:aws:backup:eu-west-1:123456789012:backup-vault:Errand';
const table = 'errand-production-AccountsTable-restored';

describe('a wrong setting is told in one line that names it', () => {
  test.each<[object, string | RegExp]>([
    [
      { region: 'ap-southeast-2' },
      /^region must be an AWS region .* the service has no location for others$/,
    ],
    [{ region: 'eu' }, /^region must be an AWS region /],
    [{ domain: 'https://api.example.com' }, /^domain must be a name such as api\.example\.com/],
    [{ domain: 'api.example.com/v1' }, /^domain must be a name/],
    [{ domain: 'localhost' }, /^domain must be a name/],
    [{ runsAtOnce: 1.5 }, 'runsAtOnce must be a whole number from 2 to 10,000'],
    ...[aws('eu-central-1'), '', 'a certificate'].map((certificate): [object, string] => [
      { domain: { name: 'api.example.com', certificate } },
      'domain.certificate must be the ARN of a certificate of AWS Certificate Manager in us-east-1',
    ]),
    [{ domain: 5 }, 'domain must be a name, or a name with the ARN of its certificate'],
    [
      { waf: { requestsIn5Minutes: 9 } },
      'waf.requestsIn5Minutes must be a whole number from 10 to 2,000,000,000',
    ],
    [{ monthlyDollars: -1, alarmEmail }, 'monthlyDollars must be a number over 0'],
    [{ monthlyDollars: 100 }, 'monthlyDollars needs alarmEmail, which its mails are sent to'],
    [{ edgeLogs: { days: 2 } }, /^edgeLogs\.days must be one of 1, 3, /],
    [{ catalogue: 'nowhere.json' }, /nowhere\.json/],
    [{ permanent: 'yes' }, 'permanent must be true or false'],
    [{ protected: 1 }, 'protected must be true or false'],
    [{ alarmEmail: 'operator' }, 'alarmEmail must be an email address'],
    [{ alarmEmail: 'two words@example.com' }, 'alarmEmail must be an email address'],
    [{ runsAtOnce: 1 }, 'runsAtOnce must be a whole number from 2 to 10,000'],
    [{ runsAtOnce: 50_000 }, 'runsAtOnce must be a whole number from 2 to 10,000'],
    [{ runsAtOnce: 2.5 }, 'runsAtOnce must be a whole number from 2 to 10,000'],
    [{ runsAtOnce: '100' }, 'runsAtOnce must be a whole number from 2 to 10,000'],
    [{ runsAtonce: 10 }, 'runsAtonce is no setting'],
    ...[54, 116, 60.5, '60'].map((answerSeconds): [object, string] => [
      { answerSeconds },
      'answerSeconds must be a whole number from 55 to 115',
    ]),
    [{ originKeepAliveSeconds: 121 }, 'originKeepAliveSeconds must be a whole number from 1 to 120'],
    [
      { environment: { ANSWER_SECONDS: '60' } },
      'environment.ANSWER_SECONDS is no variable that a stage may set',
    ],
    ...[0, 366, 1.5, '30'].map((runReadableDays): [object, string] => [
      { runReadableDays },
      'runReadableDays must be a whole number from 1 to 365',
    ]),
    [
      { environment: { RUN_READABLE_DAYS: '30' } },
      'environment.RUN_READABLE_DAYS is no variable that a stage may set',
    ],
    [
      { reservedConcurrency: { agents: -1 } },
      'reservedConcurrency.agents must be a whole number, at least 0',
    ],
    [{ reservedConcurrency: { chat: 1.5 } }, 'reservedConcurrency.chat must be a whole number, at least 0'],
    [{ reservedConcurrency: { gateway: 5 } }, 'reservedConcurrency.gateway is the name of no function'],
    [
      { reservedConcurrency: { worker: 9 } },
      'reservedConcurrency.worker must be at least 10, the invocations of runsAtOnce 100',
    ],
    [
      { reservedConcurrency: { webhooks: 1 } },
      'reservedConcurrency.webhooks must be 0 or at least 2, as its queue calls it',
    ],
    [
      { domain: 'api.example.com', largeUploads: { domain: 'api.example.com' } },
      'largeUploads.domain must be another name than domain',
    ],
    [{ largeUploads: {} }, 'largeUploads.domain is required'],
    [{ largeUploads: { domain: 'http://up.example.com' } }, /^largeUploads\.domain must be a name/],
    [{ largeUploads: { domain: 'up.example.com', cpu: 2 } }, 'largeUploads.cpu is no setting'],
    [{ containers: { chat: true } }, "containers.chat must be { domain: 'chat.example.com' }"],
    [{ containers: { chat: {} } }, 'containers.chat.domain is required'],
    [{ containers: { workers: 2 } }, 'containers.workers must be true or false'],
    [{ containers: { site: true } }, 'containers.site is no setting'],
    ...[
      { domain: 'api.example.com', containers: { chat: { domain: 'api.example.com' } } },
      { largeUploads: { domain: 'up.example.com' }, containers: { chat: { domain: 'up.example.com' } } },
    ].map((changes): [object, string] => [
      changes,
      'containers.chat.domain must be another name than domain and largeUploads.domain',
    ]),
    [
      { vpc, containers: { chat: { domain: 'chat.example.com' } } },
      /^containers\.chat stands in a network of its own/,
    ],
    [{ vpc: { ...vpc, subnets: [] } }, 'vpc.subnets must name a subnet'],
    [{ vpc: { ...vpc, subnets: ['vpc-1'] } }, 'vpc.subnets[0] must be the id of a subnet'],
    [{ vpc: { subnets: vpc.subnets } }, 'vpc.securityGroups is required'],
    [{ tables: { Ledger: table } }, 'tables.Ledger is the name of no table'],
    [{ tables: { Accounts: 'a table' } }, 'tables.Accounts must be the name of a table'],
    [
      { tables: { Accounts: 'restored' } },
      /^tables\.Accounts must begin with errand-production-AccountsTable-: /,
    ],
    [{ backups: {} }, 'backups.keepDays is required'],
    [{ backups: { keepDays: 0 } }, 'backups.keepDays must be a whole number from 1 to 36,500'],
    [{ backups: { keepDays: 35, copyTo: 'Errand' } }, 'backups.copyTo must be the ARN of a backup vault'],
    [{ environment: { RATE_LIMIT_REQUESTS: 600 } }, 'environment.RATE_LIMIT_REQUESTS must be a string'],
    [{ environment: { RATE_LIMIT_REQUESTS: '6OO' } }, 'RATE_LIMIT_REQUESTS must be a whole number'],
    [{ environment: { PORT: '80' } }, 'environment.PORT is no variable that a stage may set'],
  ])('%j', async (changes, line) => {
    expect(await said(changes)).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)]);
  });

  test('all of them at once, those of the functions among them', async () => {
    const environment = { SKILLS_ENABLED: 'no' };
    const tables = { Accounts: 'restored' };
    expect(await said({ runsAtOnce: 1, alarmEmail: 'operator', tables, environment })).toEqual([
      'alarmEmail must be an email address',
      'runsAtOnce must be a whole number from 2 to 10,000',
      expect.stringMatching(/^tables\.Accounts must begin with /),
      expect.stringMatching(/^SKILLS_ENABLED /),
    ]);
  });

  test('not where it is right', async () => {
    const right = {
      domain: { name: 'api.example.com', certificate: aws('us-east-1') },
      alarmEmail,
      monthlyDollars: 0.5,
      waf: { requestsIn5Minutes: 10 },
      edgeLogs: { days: 30 },
      runsAtOnce: 10_000,
      answerSeconds: 115,
      originKeepAliveSeconds: 60,
      runReadableDays: 365,
      reservedConcurrency: { agents: 50, worker: 1_000, chat: 0 },
      largeUploads: { domain: 'uploads.example.com' },
      containers: { workers: true },
      vpc,
      tables: { Accounts: table },
      backups: { keepDays: 35, copyTo: vault, locked: true },
    };
    expect(await said(right)).toEqual([]);
  });
});

describe('what the account has', () => {
  test('refuses reserved concurrency for which its quota has no room beside the 100 that AWS keeps', async () => {
    const reservedConcurrency = { agents: 50, chat: 80 };
    const having = (all: number) => said({ reservedConcurrency }, { concurrency: { all, free: all } });
    expect(await having(230)).toEqual([]);
    expect(await having(229)).toEqual([
      'reservedConcurrency needs a quota of 230 concurrent executions, 100 of them unreserved, and the account has 229',
    ]);
  });

  test('refuses a table that is not there, or lacks what a restore leaves out', async () => {
    expect(await said({ tables: { Accounts: table } }, { lacking: new Map([[table, undefined]]) })).toEqual([
      `tables.Accounts: there is no table ${table}`,
    ]);
    expect(await said({ tables: { Accounts: table } }, { lacking: new Map([[table, []]]) })).toEqual([]);
    const lacking = new Map([[table, ['expiry', 'protection from deletion']]]);
    expect(await said({ tables: { Accounts: table } }, { lacking })).toEqual([
      `tables.Accounts has no expiry, no protection from deletion: scripts/restore-table.ts FROM ${table} completes it`,
    ]);
  });

  const runsAtOnce = 100;
  test.each([
    ['is not known', undefined, 10, 48],
    ['is that of a new account', 10, 5, 2],
    ['is small', 18, 9, 4],
    ['has room for all', 1_000, 10, 48],
    ['is used up', 0, 2, 2],
  ])(
    'of concurrency %s: runs get half of it at most, and senders of webhooks a quarter',
    (_, free, invocations, senders) => {
      const fitted = fitConcurrency({ runsAtOnce }, free);
      expect(fitted).toMatchObject({ runs: { invocations, runs: 10 }, sendersAtOnce: senders });
      if (invocations < 10)
        expect(fitted.words).toContain(`runsAtOnce is ${10 * invocations} in place of 100: ${free} of`);
      else expect(fitted.words).toBeUndefined();
    },
  );

  test('bounds no runs that containers work on', () => {
    const fitted = fitConcurrency({ runsAtOnce, containers: { workers: true } }, 10);
    expect(fitted).toMatchObject({ runs: { invocations: 10, runs: 10 }, words: undefined });
  });

  test('bounds no function that has some reserved', () => {
    const reservedConcurrency = { worker: 100, webhooks: 6 };
    expect(fitConcurrency({ runsAtOnce, reservedConcurrency }, 10)).toMatchObject({
      runs: { invocations: 10, runs: 10 },
      sendersAtOnce: 6,
    });
  });

  test('has no more runs at once than were asked for, in as few invocations as AWS and memory allow', () => {
    for (let asked = 2; asked <= 10_000; asked += asked < 300 ? 1 : 97) {
      const { invocations, runs } = invocationsFor(asked);
      expect(invocations).toBe(Math.max(2, Math.ceil(asked / limits.runsPerInvocation)));
      expect(invocations * runs).toBeLessThanOrEqual(asked);
      expect(invocations * (runs + 1)).toBeGreaterThan(asked);
      expect(runs).toBeLessThanOrEqual(limits.runsPerInvocation);
    }
    expect(invocationsFor(10)).toEqual({ invocations: 2, runs: 5 });
  });
});

test('a function that another one calls times out before its caller does', () => {
  const milliseconds = functionShapes.converter.timeoutSeconds * 1000;
  expect(milliseconds).toBeLessThan(limits.calledFunctionMilliseconds);
});

test('everything in the environment that functions would refuse is listed at once', async () => {
  const environment = { RATE_LIMIT_REQUESTS: '6OO', SKILLS_ENABLED: 'no', SEARCH_PROVIDER: 'searxng' };
  expect((await said({ environment })).join('\n')).toMatch(
    /^SKILLS_ENABLED .*\nRATE_LIMIT_REQUESTS must be a whole number\nSEARCH_BASE_URL must be set for searxng$/,
  );
});

test('a catalogue that functions would refuse is reported', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const catalogue = path.join(folder, 'catalogue.json');
  const text = await readFile(settingsOf('production').catalogue, 'utf8');
  await writeFile(catalogue, text.replace('inputPerMillionTokens', 'inputPerMillionToken'));
  expect((await said({ catalogue })).join('\n')).toContain('price.inputPerMillionTokens');
});

test('reserved concurrency that AWS would refuse, or that would starve the queue, is reported', async () => {
  expect(await said({ reservedConcurrency: { agents: 50, worker: 100, chat: 0 } })).toEqual([]);
  expect(await said({ reservedConcurrency: { agents: -1, chat: 1.5, gateway: 5 } })).toHaveLength(3);
});

/** AWS's answer to who asks what an account has. */
async function accountWith(concurrency: { all: number; free: number }): Promise<string> {
  const server = createServer((_, response) => {
    const AccountLimit = {
      ConcurrentExecutions: concurrency.all,
      UnreservedConcurrentExecutions: concurrency.free,
    };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ AccountLimit }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!canEvaluate)('the stack', { timeout: evaluationMilliseconds }, () => {
  test('is refused before anything of it is made if its functions would not start', async () => {
    const environment = { RATE_LIMIT_REQUESTS: '6OO' };
    await expect(evaluate('somebody', { changes: { environment } })).rejects.toThrow(
      'RATE_LIMIT_REQUESTS must be a whole number',
    );
  });

  test('asks for the key of a search provider that needs one', async () => {
    const environment = { SEARCH_PROVIDER: 'brave' };
    await expect(evaluate('somebody', { changes: { environment } })).rejects.toThrow('SearchApiKey');
  });

  test('shows all its functions in a preview, although their log groups do not exist yet', async () => {
    const { of } = await evaluate('somebody', { unmade: 'aws:cloudwatch/logGroup:LogGroup' });
    expect(of('aws:lambda/function:Function')).toHaveLength(Object.keys(functionShapes).length);
  });

  test('reserves no concurrency by default, and what the settings say otherwise: then the deploy tells what it needs', async () => {
    const byDefault = await evaluate('somebody');
    const functions = byDefault.of('aws:lambda/function:Function');
    expect(functions.map(({ inputs }) => inputs.reservedConcurrentExecutions)).toEqual(
      functions.map(() => undefined),
    );
    expect(byDefault.outputs).not.toHaveProperty('concurrency');
    const reserving = await evaluate('somebody', {
      changes: { reservedConcurrency: { agents: 50, chat: 80 } },
    });
    const reserved = (id: string) =>
      reserving.one('aws:lambda/function:Function', id).inputs.reservedConcurrentExecutions;
    expect([reserved('AgentsHandlerFunction'), reserved('ChatHandlerFunction')]).toEqual([50, 80]);
    expect(reserved('WorkerHandlerFunction')).toBeUndefined();
    expect(reserving.outputs.concurrency).toMatch(
      /^130 reserved \(agents 50, chat 80\)\. AWS keeps 100 unreserved, .* must be at least 230, besides/,
    );
  });

  describe('with a network, a restored table, lasting backups and runs that are kept for long', () => {
    const changes = {
      vpc,
      tables: { Accounts: 'errand-somebody-AccountsTable-restored' },
      backups: { keepDays: 35, copyTo: vault, locked: true },
      runReadableDays: 30,
    };

    test('tells every function for how long runs are kept, and has the bucket keep as long what is of runs', async () => {
      const { one, of } = await evaluate('somebody', { changes });
      const usual = await evaluate('somebody');
      const told = (stack: Pick<typeof usual, 'of'>) =>
        stack
          .of('aws:lambda/function:Function')
          .map(({ inputs }) => unwrap<{ variables: Record<string, string> }>(inputs.environment).variables)
          .map(({ RUN_READABLE_DAYS }) => RUN_READABLE_DAYS);
      const names = Object.keys(functionShapes);
      expect(told({ of })).toEqual(names.map(() => '30'));
      expect(told(usual)).toEqual(names.map(() => undefined));
      const { rules } = one(
        'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration',
        /^Files/,
      ).inputs;
      const days = (rules as { id: string; expiration: { days: number } }[]).map(({ id, expiration }) => [
        id,
        expiration.days,
      ]);
      expect(Object.fromEntries(days)).toEqual({
        uploads: 30,
        events: 31,
        saved: 31,
        conversions: 1,
        responses: 2,
      });
    });

    test('has the functions that ask models in the network, and no other', async () => {
      const { one } = await evaluate('somebody', { changes });
      for (const [name, { models }] of Object.entries(functionShapes)) {
        const id = `${toPascalCase(name)}Handler`;
        const { vpcConfig } = one('aws:lambda/function:Function', `${id}Function`).inputs;
        const { managedPolicyArns } = one('aws:iam/role:Role', `${id}Role`).inputs;
        expect([name, vpcConfig]).toEqual([
          name,
          models ? { subnetIds: vpc.subnets, securityGroupIds: vpc.securityGroups } : undefined,
        ]);
        expect(managedPolicyArns).toEqual(
          models ? ['arn:aws:iam::aws:policy/service-role/AWSLambdaENIManagementAccess'] : [],
        );
      }
    });

    test('lets functions use the restored table alone, marks it for operators, and leaves its own as it was', async () => {
      const restored = changes.tables.Accounts;
      const { one, of } = await evaluate('somebody', { changes });
      for (const name of Object.keys(functionShapes)) {
        const id = `${toPascalCase(name)}Handler`;
        const { environment } = one('aws:lambda/function:Function', `${id}Function`).inputs;
        const { TABLE_NAMES } = unwrap<{ variables: Record<string, string> }>(environment).variables;
        expect(JSON.parse(TABLE_NAMES ?? '')).toMatchObject({
          accounts: restored,
          runs: expect.stringMatching(/^errand-somebody-RunsTable-/),
        });
        const policies = JSON.stringify(one('aws:iam/role:Role', `${id}Role`).inputs.inlinePolicies);
        const tables = new Set(policies.match(/AccountsTable-\w+/g));
        expect([...tables]).toEqual(name === 'converter' ? [] : ['AccountsTable-restored']);
      }
      const before = await evaluate('somebody');
      const own = before.of('aws:dynamodb/table:Table').map(({ name }) => name);
      const tables = of('aws:dynamodb/table:Table').filter(({ readAs }) => readAs === undefined);
      expect(tables.map(({ name }) => name).sort()).toEqual(own.sort());
      expect(one('aws:dynamodb/tag:Tag', 'AdoptedAccountsTag').inputs).toEqual({
        resourceArn: expect.stringContaining(restored),
        key: servingTag,
        value: 'somebody',
      });
    });

    test('copies what lasts each day, also into the other vault, where nobody deletes it before its time', async () => {
      const { one, of } = await evaluate('somebody', { changes });
      const [rule] = one('aws:backup/plan:Plan', 'BackupPlan').inputs.rules as object[];
      expect(rule).toMatchObject({
        lifecycle: { deleteAfter: 35 },
        copyActions: [{ destinationVaultArn: vault, lifecycle: { deleteAfter: 35 } }],
      });
      expect(one('aws:backup/vaultLockConfiguration:VaultLockConfiguration', 'BackupsLock').inputs).toEqual({
        backupVaultName: 'errand-somebody',
        minRetentionDays: 35,
        changeableForDays: 3,
      });
      const { resources } = one('aws:backup/selection:Selection', 'BackedUp').inputs;
      expect(resources).toEqual([
        expect.stringContaining(changes.tables.Accounts),
        expect.stringMatching(/SkillsTable-/),
        expect.stringMatching(/ValuesTable-/),
        expect.stringMatching(/SchedulesTable-/),
      ]);
      expect(of('aws:backup/vault:Vault')).toHaveLength(1);
      expect((await evaluate('production')).of('aws:backup/vault:Vault')).toEqual([]);
    });
  });

  test('fits the consumers of its queues into what the account has, and tells so', async () => {
    const { of, outputs } = await evaluate('somebody', {
      changes: { runsAtOnce: 100 },
      accountUrl: await accountWith({ all: 10, free: 8 }),
    });
    const consumers = of('aws:lambda/eventSourceMapping:EventSourceMapping').map(({ name, inputs }) => [
      name.replace(/Subscriber.*/, ''),
      (inputs.scalingConfig as { maximumConcurrency: number }).maximumConcurrency,
    ]);
    expect(Object.fromEntries(consumers)).toMatchObject({ Work: 4, Webhooks: 2 });
    expect(outputs.concurrency).toMatch(/^runsAtOnce is 40 in place of 100: 8 of /);
  });

  test('is refused where the region has no location, with all else that is wrong', async () => {
    const changes = { region: 'ap-southeast-2', runsAtOnce: 50_000, alarmEmail: 'operator' };
    await expect(evaluate('somebody', { changes })).rejects.toThrow(
      /region must be .*\n.*alarmEmail must be .*\n.*runsAtOnce must be /,
    );
  });

  test('has its location from its region', async () => {
    const { app, of } = await evaluate('somebody', { changes: { region: 'us-east-1' } });
    expect(app.providers).toMatchObject({ aws: { region: 'us-east-1' } });
    const functions = of('aws:lambda/function:Function');
    expect(functions.length).toBeGreaterThan(0);
    for (const { inputs } of functions)
      expect(unwrap<{ variables: object }>(inputs.environment).variables).toMatchObject({ LOCATION: 'us' });
    expect(() => locationOf('ap-south-1')).toThrow('neither in the EU');
  });
});

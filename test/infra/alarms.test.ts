import { readFile } from 'node:fs/promises';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import {
  type AuthenticatedEnv,
  createLog,
  limits,
  localTableNames,
  runsPartitions,
  systemClock,
} from '@errand/platform';
import { type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureRequests } from '../../functions/lambda/measure-requests.ts';
import { withMetrics } from '../../functions/lambda/metrics.ts';
import { functionShapes } from '../../infra/functions.ts';
import type { FunctionName } from '../../infra/permissions.ts';
import { eventually } from '../support/eventually.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { publicSiteAt, secureSite } from '../support/lambda/public-site.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';
import {
  type AlarmMetric,
  fires,
  goesOff,
  isOurs,
  metricsOf,
  type ReadMetric,
  readLines,
} from '../support/sst/alarm.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../support/sst/stack.ts';
import { startReceiver } from '../webhooks/support/receiver.ts';

const namespace = 'Errand/production';
const question = 'How deep is the lake?';

type Line = Record<string, unknown>;

describe.skipIf(!canEvaluate)('the alarms of a permanent stage', () => {
  let stack: Stack;
  let provider: Provider;
  let cloud: Cloud;
  let agents: CloudFunction;
  let worker: CloudFunction;

  beforeAll(async () => {
    const changes = {
      domain: 'api.example.com',
      largeUploads: { domain: 'uploads.example.com' },
      backups: { keepDays: 35 },
    };
    stack = await evaluate('production', { changes });
    provider = await startProvider();
    cloud = await startCloud(simpleCatalogue(provider.baseUrl));
    agents = await start('agents');
    worker = await start('worker');
  }, evaluationMilliseconds);

  afterAll(async () => {
    await cloud?.stop();
    await provider?.close();
  });

  const alarms = () => stack.of('aws:cloudwatch/metricAlarm:MetricAlarm');
  const alarm = (name: string) => stack.one('aws:cloudwatch/metricAlarm:MetricAlarm', name);
  const start = (name: FunctionName, environment: Record<string, string> = {}) =>
    cloud.start(name, { environment: { METRICS_NAMESPACE: namespace, ...environment } });

  const create = async (more: object = {}): Promise<string> => {
    const { statusCode, text } = await post(agents, '/v1/agents/runs', { question, ...more });
    expect(statusCode).toBe(202);
    return (JSON.parse(await text()) as { agentId: string }).agentId;
  };

  const askChat = async (chat: CloudFunction): Promise<void> => {
    const body = { model: 'writer', messages: [{ role: 'user', content: question }] };
    await (await post(chat, '/v1/chat/completions', body)).text();
  };

  /** The message of a run, as Lambda gives it to the worker. Messages of other runs stay hidden. */
  const messageOf = async (agentId: string): Promise<SqsRecord> => {
    let found: SqsRecord | undefined;
    await eventually(async () => {
      const record = await cloud.receive();
      if (record?.body.includes(agentId)) found = record;
      return found;
    }).toBeDefined();
    return found!;
  };

  /** Gives the function these messages, and resolves when it is done with them. */
  const handle = async (by: CloudFunction, name: FunctionName, records: unknown[]): Promise<void> => {
    const milliseconds = functionShapes[name].timeoutSeconds * 1_000;
    const { chunks, failure } = by.invoke({ Records: records }, { milliseconds });
    for await (const _ of chunks);
    expect(await failure).toBeUndefined();
  };

  /** What the function logs of the work, once it has written so many of these messages. */
  const logged = async (
    by: CloudFunction,
    messages: readonly string[],
    count: number,
    work: () => Promise<unknown>,
    isMeant: (line: Line) => boolean = () => true,
  ): Promise<Line[]> => {
    const before = by.log().length;
    await work();
    const lines = () => by.log().slice(before).filter(isMeant);
    const told = () => lines().filter(({ message }) => messages.includes(String(message)));
    await eventually(() => told().length).toBeGreaterThanOrEqual(count);
    return lines();
  };

  /** What the worker logs of so many runs. While it has one, it also receives messages of earlier runs that come back. */
  const workOnRuns = (
    count: number,
    before: (agentId: string) => unknown = () => {},
    more: object = {},
  ): Promise<Line[]> => {
    const made = new Set<unknown>();
    const work = async () => {
      for (let i = 0; i < count; i++) {
        const agentId = await create(more);
        made.add(agentId);
        await before(agentId);
        await handle(worker, 'worker', [await messageOf(agentId)]);
      }
    };
    return logged(worker, ['run worked on', 'run interrupted'], count, work, ({ agentId }) =>
      made.has(agentId),
    );
  };

  const refuseSetUp = () => provider.script(() => ({ status: 401 }));
  const answer = () => provider.script(() => ({ text: 'Forty metres.' }));

  const loseInput = (agentId: string) =>
    cloud.clients.dynamodb.send(
      new DeleteCommand({
        TableName: localTableNames.runs,
        Key: { pk: `${runsPartitions.run}${agentId}`, sk: 'INPUT' },
      }),
    );

  /** Each alarm on a metric of ours: the lines that set it off, and how functions come to write them. */
  const ours: Record<
    string,
    { messages: string[]; invocations?: number; make(messages: string[]): Promise<Line[]> }
  > = {
    ErrorRate: {
      messages: ['request'],
      async make(messages) {
        const chat = await start('chat');
        chat.forbidAll();
        return logged(chat, messages, 20, async () => {
          for (let i = 0; i < 20; i++) await askChat(chat);
        });
      },
    },
    LargeUploadErrors: {
      messages: ['request'],
      async make() {
        const lines: Line[] = [];
        const log = createLog((line) => void lines.push(JSON.parse(withMetrics(line, namespace))));
        const app = new Hono<AuthenticatedEnv>();
        app.use('*', measureRequests({ clock: systemClock, log }, 'large-uploads'));
        app.post('/', (c) => c.text('', 503));
        for (let i = 0; i < 5; i++) await app.request('/', { method: 'POST' });
        return lines;
      },
    },
    SetUpNotAccepted: {
      messages: ['upstream does not accept our set-up'],
      async make(messages) {
        refuseSetUp();
        const chat = await start('chat');
        return logged(chat, messages, 1, () => askChat(chat));
      },
    },
    RunsFailed: {
      messages: ['run worked on', 'run given up'],
      async make() {
        refuseSetUp();
        const failed = await workOnRuns(4);
        const deadLetters = await start('dead-letters');
        const record = await messageOf(await create());
        const givenUp = await logged(deadLetters, ['run given up'], 1, () =>
          handle(deadLetters, 'dead-letters', [record]),
        );
        return [...failed, ...givenUp];
      },
    },
    RunsInterrupted: {
      messages: ['run interrupted', 'message failed'],
      invocations: 10,
      async make() {
        const lost = await workOnRuns(5, loseInput);
        const forbidden = await start('worker');
        const record = await messageOf(await create());
        forbidden.forbidAll();
        const failed = await logged(forbidden, ['message failed'], 5, async () => {
          for (let i = 0; i < 5; i++) await handle(forbidden, 'worker', [record]);
        });
        return [...lost, ...failed];
      },
    },
    DocumentsNotConverted: {
      messages: ['document not converted'],
      async make(messages) {
        const crowded = await start('agents');
        crowded.throttleCalls();
        const docx = await readFile('packages/documents/fixtures/office.docx');
        return logged(crowded, messages, 10, async () => {
          for (let i = 0; i < 10; i++) expect(await sendDocument(crowded, docx)).toBe(503);
        });
      },
    },
    WebhooksNotSent: {
      messages: ['webhook not sent'],
      async make(messages) {
        const webhooks = await start('webhooks');
        webhooks.forbidAll();
        const body = JSON.stringify({ kind: 'message', source: 'run', looks: 0 });
        const records = Array.from({ length: 10 }, (_, i) => ({ messageId: `${i}`, body }));
        return logged(webhooks, messages, 10, () => handle(webhooks, 'webhooks', records));
      },
    },
  };

  /** What an alarm reads if functions wrote these lines, and AWS counted so many of whatever else it reads. */
  const reading =
    (lines: readonly Line[], ofAws = 0): ReadMetric =>
    (metric) =>
      isOurs(metric) ? readLines(lines)(metric) : ofAws;

  test.each(Object.entries(ours))(
    '%s goes off by what the functions log',
    async (name, { messages, invocations, make }) => {
      const lines = await make(messages);
      for (const told of messages) expect(lines.map(({ message }) => message)).toContain(told);
      expect(fires(alarm(name), reading(lines, invocations))).toBe(true);
      const others = lines.filter(({ message }) => !messages.includes(String(message)));
      expect(fires(alarm(name), reading(others, invocations))).toBe(false);
    },
  );

  test("SetUpNotAccepted takes refusals that a caller's text may cause for the set-up's only where they are many, and more than what is charged", async () => {
    const chat = await start('chat');
    const ask = (message: string) => logged(chat, [message], 1, () => askChat(chat));
    answer();
    const charged = (await ask('charged')).filter(({ message }) => message === 'charged');
    provider.script(() => ({ status: 403 }));
    const [refused] = (await ask('upstream does not accept our set-up')).filter(
      ({ message }) => message === 'upstream does not accept our set-up',
    );
    const firesBy = (refusals: number, charges: number) => {
      const lines = [...Array(refusals).fill(refused), ...Array(charges).fill(charged).flat()];
      return fires(alarm('SetUpNotAccepted'), reading(lines));
    };
    expect(charged).toHaveLength(1);
    expect([firesBy(1, 0), firesBy(19, 0), firesBy(20, 20)]).toEqual([false, false, false]);
    expect(firesBy(20, 19)).toBe(true);
  });

  test('runs that callers cancel, whose input a provider refuses, or whose value does not fit, count neither as failed nor as others', async () => {
    provider.script(() => ({ status: 400 }));
    const refused = await workOnRuns(5);
    let current = '';
    provider.script(async () => {
      await post(agents, `/v1/agents/runs/${current}/cancel`, {});
      return { text: 'Forty metres.' };
    });
    const cancelled = await workOnRuns(5, (agentId) => {
      current = agentId;
    });
    answer();
    const outputSchema = {
      type: 'object',
      properties: { deep: { type: 'integer' } },
      required: ['deep'],
    };
    const unfit = await workOnRuns(5, undefined, { outputSchema });
    const lines = [...refused, ...cancelled, ...unfit];
    const outcomes = lines.flatMap(({ message, outcome }) => (message === 'run worked on' ? [outcome] : []));
    expect(outcomes).toEqual(['refused', 'cancelled', 'schema'].flatMap((each) => Array(5).fill(each)));
    const seen = metricsOf(alarm('RunsFailed')).map(reading(lines));
    expect(seen).toEqual([undefined, undefined, undefined]);
  });

  test('a failed run among five does not page, whether the others answered or asked', async () => {
    refuseSetUp();
    const failed = await workOnRuns(1);
    answer();
    const answered = await workOnRuns(3);
    provider.script(() => ({ calls: [{ name: 'request_input', args: { message: 'Which lake?' } }] }));
    const asked = await workOnRuns(1);
    const others = [...answered, ...asked];
    expect(fires(alarm('RunsFailed'), reading([...failed, ...others]))).toBe(false);
    expect(fires(alarm('RunsFailed'), reading([...failed, ...failed, ...others]))).toBe(true);
  });

  test('work is counted by messages, as many runs share an invocation and containers have none', async () => {
    const interrupted = Array(10)
      .fill(await workOnRuns(1, loseInput))
      .flat();
    const besides = (NumberOfMessagesDeleted: number): ReadMetric => {
      const values = { Invocations: 1, NumberOfMessagesReceived: 9_999, NumberOfMessagesDeleted };
      return (metric) => (isOurs(metric) ? readLines(interrupted)(metric) : byName(values)(metric));
    };
    expect(fires(alarm('RunsInterrupted'), besides(89))).toBe(true);
    expect(fires(alarm('RunsInterrupted'), besides(90))).toBe(false);
  });

  test('webhooks that their receivers take or refuse page nobody', async () => {
    const receiver = await startReceiver({ secure: true });
    const webhooks = await start('webhooks', publicSiteAt(Number(new URL(receiver.url).port)));
    const hook = { url: `${secureSite}/hook`, events: ['run.succeeded'] };
    expect((await post(agents, '/v1/webhooks', hook)).statusCode).toBe(201);
    answer();
    const sent = () => webhooks.log().filter(({ message }) => message === 'webhook sent');
    for (const [status, count] of [
      [200, 1],
      [500, 2],
    ] as const) {
      receiver.answer(status);
      await workOnRuns(1);
      while (sent().length < count) await handle(webhooks, 'webhooks', await receiveWebhooks(cloud));
    }
    await receiver.close();
    const lines = Array.from({ length: 10 }, sent).flat();
    expect(metricsOf(alarm('WebhooksNotSent')).map(reading(lines))).toEqual([undefined, 10, 10]);
    expect(fires(alarm('WebhooksNotSent'), reading(lines))).toBe(false);
  });

  type Values = (metric: AlarmMetric) => number;
  const byName =
    (values: Record<string, number>): Values =>
    ({ metricName }) =>
      values[metricName] ?? 0;

  /** Each alarm on metrics of AWS alone, or on their share of requests: what sets it off, and what does not. */
  const ofAws: [name: string, loud: Values, quiet: Values][] = [
    ['FunctionErrors', byName({ Errors: 1, failed: 100 }), byName({ Errors: 1, failed: 1_000 })],
    ['FunctionThrottles', byName({ Throttles: 1, failed: 100 }), byName({ Throttles: 1, failed: 1_000 })],
    ['BackgroundErrors', byName({ Errors: 1, Invocations: 4 }), byName({ Errors: 1, Invocations: 5 })],
    [
      'BackgroundThrottles',
      byName({ Throttles: 1, Invocations: 18 }),
      byName({ Throttles: 1, Invocations: 20 }),
    ],
    [
      'WriteThrottles',
      byName({ WriteThrottleEvents: 1, failed: 50, NumberOfMessagesDeleted: 50 }),
      byName({ WriteThrottleEvents: 1, failed: 100, NumberOfMessagesDeleted: 100 }),
    ],
    [
      'ReadThrottles',
      byName({ ReadThrottleEvents: 1, failed: 50, NumberOfMessagesDeleted: 50 }),
      byName({ ReadThrottleEvents: 1, failed: 100, NumberOfMessagesDeleted: 100 }),
    ],
    [
      'TransactionConflicts',
      byName({ TransactionConflict: 17, failed: 50, NumberOfMessagesDeleted: 50 }),
      byName({ TransactionConflict: 16, failed: 50, NumberOfMessagesDeleted: 50 }),
    ],
    ['SchedulesLate', byName({ lateSeconds: 301 }), byName({ lateSeconds: 300 })],
    ['DeadLetterArrived', byName({ Invocations: 1 }), byName({})],
    ['DeadLettersStay', byName({ ApproximateNumberOfMessagesNotVisible: 1 }), byName({})],
    [
      'RunAge',
      byName({ ApproximateAgeOfOldestMessage: 1_801 }),
      byName({ ApproximateAgeOfOldestMessage: 1_800 }),
    ],
    // A function that fails has its messages in flight most of the time, and deletes none.
    [
      'WebhooksStay',
      byName({ ApproximateNumberOfMessagesNotVisible: 1 }),
      byName({ ApproximateNumberOfMessagesNotVisible: 200, NumberOfMessagesDeleted: 200 }),
    ],
    ['BackupsFailed', byName({ NumberOfCopyJobsFailed: 1 }), byName({ NumberOfBackupJobsCompleted: 1 })],
    [
      'EdgeErrorRate',
      byName({ Requests: 20, '5xxErrorRate': 6 }),
      byName({ Requests: 19, '5xxErrorRate': 100 }),
    ],
    ['Unreachable', byName({ HealthCheckStatus: 0 }), byName({ HealthCheckStatus: 1 })],
  ];

  test.each(ofAws)('%s goes off by what AWS counts, and not by less', (name, loud, quiet) => {
    expect([fires(alarm(name), loud), fires(alarm(name), quiet)]).toEqual([true, false]);
  });

  test('tables that let no message of the worker be done with page, while nobody sends requests', () => {
    const refused = { WriteThrottleEvents: 20, ReadThrottleEvents: 20, TransactionConflict: 21 };
    const names = ['WriteThrottles', 'ReadThrottles', 'TransactionConflicts'];
    const firing = (interrupted: number) =>
      names.filter((name) => fires(alarm(name), byName({ ...refused, interrupted })));
    expect(firing(20)).toEqual(names);
    expect(firing(19)).toEqual([]);
  });

  test('WebhooksStay sees a message that always throws, whether it is looked at in flight or between two tries', () => {
    const looks: Record<string, number[]> = {
      ApproximateNumberOfMessagesVisible: [0, 0, 1, 0],
      ApproximateNumberOfMessagesNotVisible: [1, 1, 0, 1],
    };
    const of: Record<string, (values: number[]) => number> = {
      Minimum: (values) => Math.min(...values),
      Maximum: (values) => Math.max(...values),
      Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
      Sum: (values) => values.reduce((sum, value) => sum + value, 0),
    };
    const stays: Values = ({ metricName, stat }) => of[stat]!(looks[metricName] ?? [0]);
    expect(fires(alarm('WebhooksStay'), stays)).toBe(true);
    const isSent: Values = (metric) => (metric.metricName in looks ? stays(metric) : 1);
    expect(fires(alarm('WebhooksStay'), isSent)).toBe(false);
  });

  test('schedules that nobody looks after page, as their function then logs nothing', () => {
    expect(fires(alarm('SchedulesLate'), () => undefined)).toBe(true);
  });

  test('schedules whose start fails each time page before they are given up', () => {
    const { scheduleAttempts, scheduleClaimMilliseconds, scheduleLongestClaimMilliseconds } = limits;
    const triedAt = [0];
    for (let i = 0; i < scheduleAttempts; i++)
      triedAt.push(
        triedAt.at(-1)! + Math.min(scheduleClaimMilliseconds * 2 ** i, scheduleLongestClaimMilliseconds),
      );
    const period = 5 * 60_000;
    // Of the last try on, the instant is over.
    const spans = Array.from({ length: Math.ceil(triedAt.at(-1)! / period) }, (_, i) => {
      const inSpan = triedAt.slice(0, -1).filter((at) => Math.floor(at / period) === i);
      return byName({ lateSeconds: Math.max(0, ...inSpan) / 1000 });
    });
    expect(goesOff(alarm('SchedulesLate'), spans)).toBe(true);
    expect(goesOff(alarm('SchedulesLate'), [spans[0]!, spans[1]!])).toBe(false);
  });

  test('failures of backups are those of the vault of the stage', () => {
    const [vault] = stack.of('aws:backup/vault:Vault');
    for (const { namespace, dimensions } of metricsOf(alarm('BackupsFailed')))
      expect([namespace, dimensions]).toEqual(['AWS/Backup', { BackupVaultName: vault?.inputs.name }]);
  });

  test('every alarm is seen to go off', () => {
    const seen = [...Object.keys(ours), ...ofAws.map(([name]) => name)];
    expect(
      alarms()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(seen.sort());
  });

  test('one of everything pages only for what nobody may miss', () => {
    const paging = alarms().filter((each) => fires(each, () => 1));
    expect(paging.map(({ name }) => name).sort()).toEqual([
      'BackgroundErrors',
      'BackupsFailed',
      'DeadLetterArrived',
      'DeadLettersStay',
      'SetUpNotAccepted',
      'WebhooksStay',
    ]);
  });

  test('documents that end the converter page nobody', () => {
    const reads = (metric: AlarmMetric) =>
      metric.metricName === 'Errors' && metric.dimensions.FunctionName?.includes('Converter') === true;
    expect(alarms().filter((each) => metricsOf(each).some(reads))).toEqual([]);
  });

  test('throttles are seen of every table and every index', () => {
    const seen = (name: string) => metricsOf(alarm(name)).filter((each) => each.namespace === 'AWS/DynamoDB');
    const tables = stack.of('aws:dynamodb/table:Table').map(({ inputs }) => inputs);
    const places = tables.flatMap(({ name, globalSecondaryIndexes }) => [
      { TableName: name },
      ...(globalSecondaryIndexes as { name: string }[]).map((index) => ({
        TableName: name,
        GlobalSecondaryIndexName: index.name,
      })),
    ]);
    expect(places.length).toBeGreaterThan(tables.length);
    for (const name of ['WriteThrottles', 'ReadThrottles'])
      expect(seen(name).map(({ dimensions }) => dimensions)).toEqual(expect.arrayContaining(places));
    expect(seen('TransactionConflicts')).toHaveLength(tables.length);
  });

  test('the probe asks for the health of the stage through its router, from the fewest regions that AWS allows', () => {
    const { inputs } = stack.one('aws:route53/healthCheck:HealthCheck', 'Probe');
    expect(inputs).toMatchObject({
      type: 'HTTPS',
      fqdn: 'api.example.com',
      resourcePath: '/healthz',
    });
    expect(inputs.regions).toHaveLength(3);
    expect(alarm('Unreachable').provider).toBe('EdgeMetrics');
  });
});

/** The next messages of the queue of webhooks, as Lambda gives them to their function. */
async function receiveWebhooks({ clients, webhookQueueUrl }: Cloud): Promise<unknown[]> {
  const { Messages = [] } = await clients.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: webhookQueueUrl,
      WaitTimeSeconds: 10,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return Messages.map((each) => toSqsRecord(each, 'arn:aws:sqs:eu-central-1:000000000000:errand-webhooks'));
}

const post = (target: CloudFunction, path: string, body: object) =>
  target.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

async function sendDocument(to: CloudFunction, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = new FormData();
  form.set('question', question);
  form.set('file', new Blob([bytes]), 'report.docx');
  const encoded = new Response(form);
  const { statusCode, text } = await to.request('/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
  await text();
  return statusCode;
}

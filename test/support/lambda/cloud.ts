import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { startLocal } from '@errand/local';
import { awsSettings, type LocalQueues, localQueues } from '@errand/local/testing';
import {
  createAwsClients,
  createFiles,
  type Files,
  localCredentials,
  localRegion,
  localTableNames,
  readConfig,
  silentLog,
} from '@errand/platform';
import { type SqsRecord, toSqsRecord } from '@errand/platform/testing';
import { functionShapes } from '../../../infra/functions.ts';
import { type FunctionName, permissions } from '../../../infra/permissions.ts';
import { builds } from '../builds/index.ts';
import { functionCredentials, type Guard, type Meddle, startGuard } from './guard.ts';
import { type LambdaRequest, type LambdaResponse, request } from './http.ts';
import { startInvokeEndpoint } from './invoke-endpoint.ts';
import { type LambdaFunction, startFunction } from './start-function.ts';
import { type SentRequest, sumUnits, type Units } from './units.ts';

export const originSecret = 'the router adds this to every request';
const storeSecret = 'a secret that the store is encrypted with in tests';
export const linkSecret = 'a secret that links are signed with, in tests';

export interface CloudFunction extends LambdaFunction {
  /** Sends a request as the router would, with the first key unless another one is given. */
  request(path: string, options?: LambdaRequest & { key?: string | null }): Promise<LambdaResponse>;
  /** Requests that its permissions did not allow, those of the converter that it called among them. */
  refused(): string[];
  /** What it has used of AWS so far, in the units that AWS bills. */
  units(): Units;
  /** What it has asked of tables so far. */
  sent(): SentRequest[];
  /** Refuses all its requests to AWS from now on. */
  forbidAll(): void;
  /** From now on, its calls of other functions find no concurrency. */
  throttleCalls(): void;
}

export interface Cloud {
  apiKey: string;
  accountId: string;
  endpoints: ServiceFile['endpoints'];
  clients: ReturnType<typeof createAwsClients>;
  queueUrl: string;
  webhookQueueUrl: string;
  files: Files;
  /** The next message of the queue, as Lambda gives it to the worker; undefined if there is none. */
  receive(): Promise<SqsRecord | undefined>;
  /** With `live`, builds and runs the function as `sst dev` does on a developer's machine. */
  start(
    name: FunctionName,
    options?: { live?: boolean; environment?: Record<string, string>; meddle?: Meddle },
  ): Promise<CloudFunction>;
  /** The environment for a process that gets a function's permissions, which guards enforce. */
  environment(name: FunctionName): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

interface ServiceFile {
  apiKey: string;
  accountId: string;
  endpoints: { dynamodb: string; sqs: string; s3: string };
}

/** The embedded AWS and functions' bundles on it. Guards enforce each function's permissions. */
export async function startCloud(catalogue: object): Promise<Cloud> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-lambda-'));
  const dataDir = path.join(folder, 'data');
  const aws = await startLocal({
    config: readConfig('local', { DATA_DIR: dataDir }),
    log: silentLog,
    only: 'aws',
    onExit: (reason) => {
      throw new Error(reason);
    },
  });
  const service = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8')) as ServiceFile;
  const clients = createAwsClients({
    region: localRegion,
    credentials: localCredentials,
    endpoints: service.endpoints,
  });
  const queues = await localQueues(clients.sqs);
  const { queueUrl } = queues;
  await writeFile(path.join(folder, 'catalogue.json'), JSON.stringify(catalogue));
  const stops: (() => Promise<void>)[] = [];
  const converters = new Map<boolean, Promise<CloudFunction>>();
  const refusedOfConverters: (() => string[])[] = [];
  /** Lambda starts the converter when it is called and none lives. */
  const converter = (live: boolean) => {
    const started = converters.get(live) ?? cloud.start('converter', { live });
    if (!converters.has(live)) {
      converters.set(live, started);
      const untilItEnds = async ({ refused, ended }: CloudFunction) => {
        refusedOfConverters.push(refused);
        await ended;
      };
      void started
        .then(untilItEnds)
        .catch(() => {})
        .then(() => converters.delete(live));
    }
    return started;
  };
  const folders = new Map<string, Promise<string>>();
  /** Environments of a function share its folder. */
  const laid = (name: FunctionName, live: boolean): Promise<string> => {
    const own = folders.get(`${name} ${live}`) ?? lay(folder, name, live);
    folders.set(`${name} ${live}`, own);
    return own;
  };
  const cloud: Cloud = {
    ...service,
    clients,
    queueUrl,
    webhookQueueUrl: queues.webhookQueueUrl,
    files: createFiles(awsSettings(service.endpoints)),
    async receive() {
      const { Messages = [] } = await clients.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MessageSystemAttributeNames: ['All'] }),
      );
      return Messages[0] && toSqsRecord(Messages[0], 'arn:aws:sqs:eu-central-1:000000000000:errand-runs');
    },
    async start(name, { live = false, environment = {}, meddle } = {}) {
      const own = await laid(name, live);
      const guards = await guard(service.endpoints, name, queueUrl, meddle);
      const callable = { converter: () => converter(live) };
      const calls = await startInvokeEndpoint(permissions[name].converts ? callable : {});
      const called = { AWS_ENDPOINT_URL_LAMBDA: calls.endpoint, CONVERTER_FUNCTION: 'converter' };
      const started = await startFunction({
        folder: own,
        environment: {
          ...environmentOf(name, guards, queues),
          ...(permissions[name].converts && called),
          ...environment,
        },
        live,
      });
      stops.push(started.stop, calls.close, ...Object.values(guards).map(({ close }) => close));
      return {
        ...started,
        refused: () => [
          ...Object.values(guards).flatMap(({ refused }) => refused),
          ...calls.refused,
          ...(permissions[name].converts ? refusedOfConverters.flatMap((refused) => refused()) : []),
        ],
        throttleCalls: calls.throttle,
        units: () => sumUnits(Object.values(guards).map(({ units }) => units)),
        sent: () => Object.values(guards).flatMap(({ sent }) => sent),
        forbidAll: () => {
          for (const each of Object.values(guards)) each.forbidAll();
        },
        request: (route, { key = service.apiKey, ...options } = {}) =>
          request(started, route, {
            ...options,
            headers: {
              'X-Origin-Secret': originSecret,
              ...(key !== null && { Authorization: `Bearer ${key}` }),
              ...options.headers,
            },
          }),
      };
    },
    async environment(name) {
      const guards = await guard(service.endpoints, name, queueUrl);
      stops.push(...Object.values(guards).map(({ close }) => close));
      return {
        ...environmentOf(name, guards, queues),
        MODEL_CATALOGUE: path.join(folder, 'catalogue.json'),
      };
    },
    async stop() {
      for (const stop of stops) await stop();
      clients.dynamodb.destroy();
      clients.sqs.destroy();
      await aws.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return cloud;
}

/** Makes the function's folder as Lambda has it: its bundle, and the files that are deployed next to it. */
async function lay(folder: string, name: FunctionName, live: boolean): Promise<string> {
  const own = path.join(folder, live ? `${name}-live` : name);
  await cp(await builds.bundle(name, live ? 'live' : 'deployed'), own, { recursive: true });
  const built = await builds.assets();
  const { assets, models } = functionShapes[name];
  const layFile = live ? symlink : (from: string, to: string) => cp(from, to, { recursive: true });
  for (const asset of assets) await layFile(path.join(built, asset), path.join(own, asset));
  if (models) await layFile(path.join(folder, 'catalogue.json'), path.join(own, 'catalogue.json'));
  return own;
}

type Guards = Record<'dynamodb' | 'sqs' | 's3', Guard>;

async function guard(
  endpoints: ServiceFile['endpoints'],
  name: FunctionName,
  queueUrl: string,
  meddle?: Meddle,
): Promise<Guards> {
  const [dynamodb, sqs, s3] = await Promise.all(
    [endpoints.dynamodb, endpoints.sqs, endpoints.s3].map((each) =>
      startGuard(each, permissions[name], queueUrl, meddle),
    ),
  );
  return { dynamodb, sqs, s3 } as Guards;
}

function environmentOf(
  name: FunctionName,
  { dynamodb, sqs, s3 }: Guards,
  { queueUrl, webhookQueueUrl }: LocalQueues,
): Record<string, string> {
  return {
    AWS_REGION: localRegion,
    AWS_SESSION_TOKEN: functionCredentials.sessionToken,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    TABLE_NAMES: JSON.stringify(localTableNames),
    QUEUE_URL: `${sqs.endpoint}${new URL(queueUrl).pathname}`,
    WEBHOOK_QUEUE_URL: `${sqs.endpoint}${new URL(webhookQueueUrl).pathname}`,
    BUCKET_NAME: 'errand-files',
    PUBLIC_URL: 'https://api.example.com',
    ...(functionShapes[name].links && { LINK_SECRET: linkSecret }),
    ORIGIN_SECRET: originSecret,
    // As the stack has it where no earlier secret is set.
    ...(functionShapes[name].seals && { STORE_SECRET: `${storeSecret},` }),
    MODEL_CATALOGUE: 'catalogue.json',
  };
}

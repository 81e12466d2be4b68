import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DescribeTableCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  paginateListTables,
} from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import {
  type AwsSettings,
  type Config,
  createAwsClients,
  createFiles,
  localBucket,
  localCredentials,
  localRegion,
  localWebhookQueue,
  localWorkQueue,
  servingTag,
  stageTablePrefix,
  systemClock,
  type TableId,
  type TableNames,
  tableDefinitions,
} from '@errand/platform';
import * as v from 'valibot';
import type { Store } from './command.ts';
import { Refusal } from './refusal.ts';

/**
 * Connects to a deployed stage with the operator's AWS credentials or, without a stage, to the local service that runs
 * on the data folder. Throws `Refusal` if there is none.
 */
export async function connect(config: Config, stage: string | undefined): Promise<Store> {
  const settings = stage === undefined ? await findLocal(config) : await findStage(config, stage);
  const { dynamodb, sqs } = createAwsClients(settings);
  const openQueues = async () => {
    const find = (local: string, name: string) =>
      findQueue(sqs, { stage, region: settings.region }, local, name);
    const [queueUrl, webhookQueueUrl] = await Promise.all([
      find(localWorkQueue, 'Work'),
      find(localWebhookQueue, 'Webhooks'),
    ]);
    return { sqs, queueUrl, webhookQueueUrl };
  };
  const openFiles = async () =>
    createFiles(
      stage === undefined
        ? settings
        : { ...settings, bucket: bucketOfStage(await listBuckets(settings), stage, settings.region) },
    );
  return { dynamodb, tables: settings.tables, clock: systemClock, config, openFiles, openQueues };
}

const serviceFile = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    pid: v.optional(v.number()),
    baseUrl: v.optional(v.string()),
    modelCatalogue: v.optional(v.string()),
    endpoints: v.optional(
      v.object({
        dynamodb: v.pipe(v.string(), v.url()),
        sqs: v.exactOptional(v.pipe(v.string(), v.url())),
        s3: v.pipe(v.string(), v.url()),
      }),
    ),
  }),
);

const noService = (config: Config) =>
  new Refusal(`No local service is running on ${config.dataDir}: start it with npm start.`);

/** The file of a service whose process lives. Throws `Refusal` if there is none. */
async function readLocal(config: Config): Promise<v.InferOutput<typeof serviceFile>> {
  const file = path.join(config.dataDir, 'service.json');
  const text = await readText(file);
  if (text === undefined) throw noService(config);
  const service = v.safeParse(serviceFile, text);
  if (!service.success) throw new Refusal(`${file} is damaged: stop the local service and start it again.`);
  if (!isAlive(service.output.pid)) throw noService(config);
  return service.output;
}

/** The catalogue file that the local service was started with, if it runs and has one. */
export const catalogueOfLocal = (config: Config): Promise<string | undefined> =>
  readLocal(config).then(
    ({ modelCatalogue }) => modelCatalogue,
    () => undefined,
  );

/** Where the API of the local service is, if it runs. */
export const addressOfLocal = (config: Config): Promise<string | undefined> =>
  readLocal(config).then(
    ({ baseUrl }) => baseUrl,
    () => undefined,
  );

async function findLocal(config: Config): Promise<AwsSettings> {
  const { endpoints } = await readLocal(config);
  if (!endpoints) throw noService(config);
  if (!(await answers(endpoints.dynamodb)))
    throw new Refusal(
      `The local service on ${config.dataDir} does not answer at ${endpoints.dynamodb}: it may have been killed, or be starting or busy.`,
    );
  return {
    ...config.aws,
    region: localRegion,
    endpoints,
    bucket: localBucket,
    credentials: localCredentials,
  };
}

/** Undefined if there is no such file. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Refusal(`${file} cannot be read (${code}).`);
  }
}

/** Whether the endpoint answers. A living process is not enough: its id may belong to another program by now. */
const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );

/** Whether the process lives. A service that was killed leaves its file behind. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function findStage(config: Config, stage: string): Promise<AwsSettings> {
  const { region, endpoints } = config.aws;
  const client = new DynamoDBClient({
    region,
    endpoint: endpoints.dynamodb,
  });
  const names: string[] = [];
  for await (const page of paginateListTables({ client }, {})) names.push(...(page.TableNames ?? []));
  const serving = await servingTables(client, names, stage);
  return { ...config.aws, tables: tablesOfStage(names, stage, region, serving) };
}

/** The tags of the tables that serve: of one in place of the stage's own, and of what SST has made. A restored table has neither. */
const servingTags = [servingTag, 'sst:stage'];

/** Of the kinds of which the stage has several tables, for example a restored one, those that serve. Tags are read for them alone. */
async function servingTables(
  client: DynamoDBClient,
  names: readonly string[],
  stage: string,
): Promise<string[]> {
  const serving: string[] = [];
  for (const { name } of Object.values(tableDefinitions)) {
    const found = names.filter((one) => one.startsWith(stageTablePrefix(stage, name)));
    if (found.length < 2) continue;
    const tagged = await Promise.all(found.map((one) => tagsOf(client, one)));
    const having = (tag: string) => found.filter((_, i) => tagged[i]?.get(tag) === stage);
    serving.push(...(servingTags.map(having).find(({ length }) => length > 0) ?? []));
  }
  return serving;
}

async function tagsOf(client: DynamoDBClient, TableName: string): Promise<Map<string, string>> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
  return new Map(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
}

/**
 * The tables of a stage among all table names. SST names a table `<app>-<stage>-<name>Table-<hash>`; of several so named it
 * is the one among `serving`. Throws `Refusal`.
 */
export function tablesOfStage(
  names: readonly string[],
  stage: string,
  region: string,
  serving: readonly string[] = [],
): TableNames {
  const tables: Partial<TableNames> = {};
  for (const [id, { name }] of Object.entries(tableDefinitions)) {
    const prefix = stageTablePrefix(stage, name);
    const known = serving.some((one) => one.startsWith(prefix)) ? serving : names;
    tables[id as TableId] = onlyOne(known, { what: 'table', stage, region }, prefix);
  }
  return tables as TableNames;
}

/** The bucket of a stage among all buckets. SST names it `<app>-<stage>-filesbucket-<hash>`. Throws `Refusal`. */
export const bucketOfStage = (names: readonly string[], stage: string, region: string): string =>
  onlyOne(names, { what: 'bucket', stage, region }, `errand-${stage}-filesbucket-`.toLowerCase());

function onlyOne(
  names: readonly string[],
  { what, stage, region }: { what: string; stage: string; region: string },
  prefix: string,
): string {
  const [found, ...others] = names.filter((name) => name.startsWith(prefix));
  if (found === undefined)
    throw new Refusal(`No stage ${stage} in ${region}: there is no ${what} ${prefix}*.`);
  if (others.length > 0) throw new Refusal(`Stage ${stage} has more than one ${what} ${prefix}*.`);
  return found;
}

/** A queue of the local service, or of a stage, where SST names it `<app>-<stage>-<name>Queue-<hash>`. Throws `Refusal`. */
async function findQueue(
  sqs: SQSClient,
  { stage, region }: { stage: string | undefined; region: string },
  local: string,
  name: string,
): Promise<string> {
  const prefix = stage === undefined ? local : `errand-${stage}-${name}Queue-`;
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: prefix }));
  const urls = new Map(QueueUrls.map((url) => [url.split('/').at(-1) ?? '', url]));
  // The name of another local queue begins with this one's.
  const names = [...urls.keys()].filter((each) => stage !== undefined || each === local);
  return urls.get(onlyOne(names, { what: 'queue', stage: stage ?? 'local', region }, prefix))!;
}

async function listBuckets({ region }: AwsSettings): Promise<string[]> {
  const { ListBucketsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { Buckets = [] } = await new S3Client({ region }).send(new ListBucketsCommand());
  return Buckets.flatMap(({ Name }) => Name ?? []);
}

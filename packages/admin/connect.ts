import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import {
  type AwsSettings,
  type Config,
  createAwsClients,
  createFiles,
  localBucket,
  localCredentials,
  localRegion,
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
  const { dynamodb } = createAwsClients(settings);
  const openFiles = async () =>
    createFiles(
      stage === undefined
        ? settings
        : { ...settings, bucket: bucketOfStage(await listBuckets(settings), stage, settings.region) },
    );
  return { dynamodb, tables: settings.tables, clock: systemClock, config, openFiles };
}

const serviceFile = v.object({
  pid: v.optional(v.number()),
  endpoints: v.object({ dynamodb: v.pipe(v.string(), v.url()), s3: v.pipe(v.string(), v.url()) }),
});

async function findLocal(config: Config): Promise<AwsSettings> {
  const file = path.join(config.dataDir, 'service.json');
  const service = v.safeParse(serviceFile, await readJsonFile(file));
  if (!service.success || !isAlive(service.output.pid) || !(await answers(service.output.endpoints.dynamodb)))
    throw new Refusal(`No local service is running on ${config.dataDir}: start it with npm start.`);
  return {
    ...config.aws,
    region: localRegion,
    endpoints: service.output.endpoints,
    bucket: localBucket,
    credentials: localCredentials,
  };
}

async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
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
    ...(endpoints.dynamodb && { endpoint: endpoints.dynamodb }),
  });
  const names: string[] = [];
  for await (const page of paginateListTables({ client }, {})) names.push(...(page.TableNames ?? []));
  return { ...config.aws, tables: tablesOfStage(names, stage, region) };
}

/** The tables of a stage among all table names. SST names a table `<app>-<stage>-<name>Table-<hash>`. Throws `Refusal`. */
export function tablesOfStage(names: readonly string[], stage: string, region: string): TableNames {
  const tables: Partial<TableNames> = {};
  for (const [id, { name }] of Object.entries(tableDefinitions))
    tables[id as TableId] = onlyOne(names, { what: 'table', stage, region }, `errand-${stage}-${name}Table-`);
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

async function listBuckets({ region }: AwsSettings): Promise<string[]> {
  const { ListBucketsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const { Buckets = [] } = await new S3Client({ region }).send(new ListBucketsCommand());
  return Buckets.flatMap(({ Name }) => Name ?? []);
}

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { awsSettings } from '@errand/local/testing';
import { createAwsClients } from '@errand/platform';
import { type Caller, callWith, type EntryView } from './caller.ts';
import { copyDataFolder } from './data-folder.ts';
import { type Manifest, readManifest, releases } from './manifest.ts';
import { startModels, type TestModels } from './models.ts';
import { readingCheckout, readServiceFile, runAdmin, type ServiceProcess, startProcess } from './process.ts';
import { makeStage } from './stage.ts';

/** This release on what an earlier one stored; or the other way round, if `go-back.ts` says so. */
export interface Upgraded {
  manifest: Manifest;
  models: TestModels;
  dataDir: string;
  baseUrl: string;
  endpoints: { dynamodb: string; s3: string };
  clients: ReturnType<typeof createAwsClients>;
  call(key: string): Caller;
  startWorker(): Promise<void>;
  admin<T>(...line: string[]): Promise<T>;
  /** The entries of the organisation's ledger. */
  metered(): Promise<EntryView[]>;
  /** What `admin check` finds. */
  problems(): Promise<object[]>;
  stop(): Promise<void>;
}

/** Leases have run out by then, and no link has. */
const minutesLater = 2;

const homes = ['data folder', 'stage'] as const;

export const upgrades = releases.flatMap((release) => homes.map((home) => ({ release, home })));

type Upgrade = (typeof upgrades)[number];

/** Starts the service on a copy, with a clock that begins minutes after the fixture was made: in one process, or without a worker. */
export async function startUpgraded(
  { release, home }: Upgrade,
  parts: readonly ['aws', 'api'] | readonly [undefined] = [undefined],
): Promise<Upgraded> {
  const manifest = readManifest(release);
  const [dataDir, models] = await Promise.all([copyDataFolder(release), startModels()]);
  const stage = home === 'stage' ? await makeStage(dataDir) : undefined;
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(models.catalogue));
  const now = Date.parse(manifest.at) + minutesLater * 60_000;
  const env = {
    DATA_DIR: dataDir,
    MODEL_CATALOGUE: catalogue,
    STORM_CLOCK_MILLISECONDS: String(now - Date.now()),
    ...stage?.env,
  };
  const where = { checkout: readingCheckout, env };
  const processes: ServiceProcess[] = [];
  const start = async (part?: string) => void processes.push(await startProcess(where, part));
  for (const part of parts) await start(part);
  const baseUrl = processes.at(-1)!.baseUrl!;
  const { endpoints } = await readServiceFile(dataDir);
  const clients = createAwsClients(awsSettings(endpoints));
  await stage?.sendCharges();
  const admin: Upgraded['admin'] = (...line) => runAdmin(where, ...line);
  return {
    manifest,
    models,
    dataDir,
    baseUrl,
    endpoints,
    clients,
    call: (key) => callWith(baseUrl, key),
    startWorker: () => start('worker'),
    admin,
    async metered() {
      const show = ['credits', 'show', '--organisation', manifest.covered.organisationId];
      return (await admin<{ entries: EntryView[] }>(...show)).entries;
    },
    problems: async () => (await admin<{ problems: object[] }>('check')).problems,
    async stop() {
      clients.dynamodb.destroy();
      clients.sqs.destroy();
      for (const each of processes.toReversed()) await each.kill();
      await Promise.all([models.close(), stage?.close()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

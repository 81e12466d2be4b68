import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { goBack } from './go-back.ts';
import { callWith } from './support/caller.ts';
import { type Filling, fillCovered, fillFrozen, fillSettled, settledCredits } from './support/fill.ts';
import { fillAgents } from './support/fill-agents.ts';
import { dataFile, fixtureFolder, type Manifest, manifestFile } from './support/manifest.ts';
import { nanoEuroOf, startModels, type TestModels } from './support/models.ts';
import { ownCheckout, readServiceFile, runAdmin, startProcess, type Where } from './support/process.ts';
import { strandCharge, strandQueued, strandRunning, strandWaiting } from './support/strand.ts';

type Open = Manifest['open'];
type Filled = Omit<Manifest, 'release' | 'at' | 'open'>;

/** The whole service, until it is killed in the middle of its work. */
async function fill(
  where: Where,
  models: TestModels,
): Promise<Filled & { open: Pick<Open, 'running' | 'waiting'> }> {
  const service = await startProcess(where);
  const dataDir = where.env.DATA_DIR!;
  const { apiKey, accountId } = await readServiceFile(dataDir);
  const call = (key: string) => callWith(service.baseUrl!, key);
  const filling: Filling = { admin: (...line) => runAdmin(where, ...line), call, folder: dataDir };
  const settled = await fillSettled(filling);
  const covered = await fillCovered(filling);
  const frozen = await fillFrozen(filling);
  const { balance, entries } = await settledCredits(call(settled.key));
  const show = ['credits', 'show', '--organisation', covered.organisationId];
  const metered = await filling.admin<{ balance: string; entries: Manifest['covered']['entries'] }>(...show);
  const running = await strandRunning(call(apiKey), models);
  // Its schedule is due a minute later, when the service has been killed.
  const agents = await fillAgents(filling, models);
  const waiting = await strandWaiting(call(covered.key), models, service);
  await service.kill();
  return {
    first: { accountId, key: apiKey },
    frozen,
    settled: {
      ...settled,
      balanceBeforeKeptCharge: balance,
      keptCharge: (nanoEuroOf.completion / 1e9).toString(),
      entries,
    },
    covered: { ...covered, metered: metered.balance, entries: metered.entries },
    open: { running, waiting },
    agents,
    queuedSkill: { instructions: settled.skills.at(-1)!.instructions['1']! },
  };
}

/** The service without a worker, until its store stops answering and it is killed again. */
async function fillWithoutWorker(
  where: Where,
  models: TestModels,
  { first, settled }: Pick<Manifest, 'first' | 'settled'>,
): Promise<Pick<Open, 'queued' | 'image'>> {
  const aws = await startProcess(where, 'aws');
  const api = await startProcess(where, 'api');
  const dataDir = where.env.DATA_DIR!;
  const callers = { first: callWith(api.baseUrl!, first.key), settled: callWith(api.baseUrl!, settled.key) };
  const open = await strandQueued(callers.first, models);
  const { pid } = await readServiceFile(dataDir);
  await strandCharge(callers.settled, models, { dataDir, pid });
  await api.kill();
  await aws.kill();
  return open;
}

/** Without what names a process or an address of this machine. The store's log is written into its file, which takes a third of the room. */
async function pack(dataDir: string, file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  for (const name of ['service.json', 'catalogue.json', 'instructions.md'])
    await rm(path.join(dataDir, name), { force: true });
  const store = new DatabaseSync(path.join(dataDir, 'dynamodb.sqlite'));
  store.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  store.close();
  execFileSync('tar', ['-C', dataDir, '--owner=0', '--group=0', '-czf', file, '.']);
}

async function main(release: string, checkout: string): Promise<void> {
  if (existsSync(fixtureFolder(release))) throw new Error(`There is a fixture of ${release} already.`);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-fixture-'));
  const models = await startModels();
  try {
    const catalogue = path.join(dataDir, 'catalogue.json');
    await writeFile(catalogue, JSON.stringify(models.catalogue));
    const where = { checkout, env: { DATA_DIR: dataDir, MODEL_CATALOGUE: catalogue } };
    const filled = await fill(where, models);
    const open = await fillWithoutWorker(where, models, filled);
    const at = new Date().toISOString();
    const manifest: Manifest = { release, at, ...filled, open: { ...filled.open, ...open } };
    await pack(dataDir, dataFile(release));
    await writeFile(manifestFile(release), `${JSON.stringify(manifest, null, 2)}\n`);
  } finally {
    await models.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const today = new Date().toISOString().slice(0, 10);
const {
  release = today,
  checkout = ownCheckout,
  back,
} = parseArgs({
  options: { release: { type: 'string' }, checkout: { type: 'string' }, back: { type: 'string' } },
}).values;
if (back === undefined) await main(release, path.resolve(checkout));
else process.exitCode = goBack(path.resolve(back));

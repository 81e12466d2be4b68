import { listKeys } from '@errand/accounts';
import { formatEuro } from '@errand/money';
import { createFiles, limits } from '@errand/platform';
import {
  cancelAnyRun,
  createRunSignals,
  type EndRunDeps,
  listRunsOfKeys,
  viewRun,
  waitOf,
} from '@errand/runs';
import { defineCommand, type Store } from '../command.ts';
import { noAccount, orRefuse } from '../refusal.ts';
import { readCount } from '../values.ts';

const cancel = defineCommand({
  name: 'run cancel',
  argument: 'ID',
  async run(store, _values, agentId) {
    const deps = { ...runsOf(store), ...(await store.openQueues()) };
    const run = viewRun(await orRefuse(cancelAnyRun(deps, agentId), `There is no run ${agentId}.`));
    const outcome = run.status === 'running' ? 'its worker has been told to stop' : run.status;
    return { json: run, lines: [`Run ${agentId}, ${outcome}`] };
  },
});

const list = defineCommand({
  name: 'run list',
  options: ['--account <A>', '[--limit <100>]', '[--cursor <C>]'],
  async run(store, { account, limit, cursor }) {
    const keys = await orRefuse(listKeys(store, account), noAccount(account));
    const page = await orRefuse(
      listRunsOfKeys(
        runStoreOf(store),
        keys.map(({ keyId }) => keyId),
        {
          limit: limit === undefined ? limits.pageEntries : readCount('limit', limit, limits.pageEntries),
          cursor,
        },
      ),
      noAccount(account),
    );
    const now = store.clock();
    const runs = page.runs.map((run) => ({
      agentId: run.agentId,
      keyId: run.keyId,
      status: run.status,
      waiting: waitOf(run, now),
      createdAt: run.createdAt,
      ageSeconds: Math.floor((now - Date.parse(run.createdAt)) / 1000),
      cost: formatEuro(run.amountNanoEuro),
      previousRunId: run.previousRunId,
      parentRunId: run.parentRunId,
    }));
    const next = page.cursor === undefined ? {} : { cursor: page.cursor };
    const more = page.cursor === undefined ? [] : [`More: --cursor ${page.cursor}`];
    return { json: { runs, ...next }, lines: [...runs.map(toLine), ...more] };
  },
});

interface ShownRun {
  agentId: string;
  keyId: string;
  status: string;
  waiting?: { for: string };
  ageSeconds: number;
  cost: string;
  previousRunId?: string;
  parentRunId?: string;
}

const toLine = ({ agentId, keyId, status, ageSeconds, cost, ...run }: ShownRun): string =>
  [
    agentId,
    status,
    ...(run.waiting === undefined ? [] : [`waits for ${run.waiting.for}`]),
    `${ageSeconds} s old`,
    `${cost} EUR`,
    keyId,
    ...(run.previousRunId === undefined ? [] : [`goes on from ${run.previousRunId}`]),
    ...(run.parentRunId === undefined ? [] : [`sub-run of ${run.parentRunId}`]),
  ].join('  ');

/** The `error` event of a run that is ended here is short, so that nothing is put into the bucket. */
const runStoreOf = ({ dynamodb, tables, clock, config }: Store) => ({
  dynamodb,
  tables,
  clock,
  files: createFiles(config.aws),
});

export const runsOf = (store: Store): EndRunDeps => ({ ...runStoreOf(store), signals: createRunSignals() });

export const runCommands = [cancel, list];

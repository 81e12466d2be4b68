import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { localTableNames } from '@errand/platform';
import { type Cloud, startCloud } from '../../support/lambda/cloud.ts';
import type { SentRequest } from '../../support/lambda/units.ts';
import { table } from '../figures.ts';
import { questions } from '../stage/models.ts';
import { createRun, workOnce } from '../stage/use-functions.ts';
import { bytesOf, writtenItems } from './keys.ts';
import { used } from './usage.ts';

/** What write units are for, and what each took at commit 2480aae8, which wrote events one by one and each time the whole checkpoint. */
const before = {
  'creation, with its purse': 9,
  claim: 1,
  "the run's item": 14,
  'events, with what they change in the checkpoint': 18,
  'whole checkpoints': 48,
  ledger: 6,
  purse: 9,
} as const;
const indexesBefore = 8;

type Purpose = keyof typeof before;

const purposeOf = ({ pk, sk }: { pk: string; sk: string }): Purpose => {
  if (sk === 'RUN') return "the run's item";
  if (sk === 'STATE') return 'whole checkpoints';
  if (sk.startsWith('EVENT#')) return 'events, with what they change in the checkpoint';
  if (pk.startsWith('LEDGER#')) return 'ledger';
  if (sk === 'BALANCE') return 'purse';
  throw new Error(`nobody knows what ${pk}, ${sk} is for`);
};

/** The units of what a worker writes for a run. Each write counts with the size that its item has at last. */
async function unitsOfWork(
  { clients: { dynamodb } }: Cloud,
  requests: readonly SentRequest[],
): Promise<ReadonlyMap<Purpose, number>> {
  const units = new Map<Purpose, number>();
  for (const TableName of [localTableNames.runs, localTableNames.accounts])
    for (const { key, alone, inTransactions } of writtenItems(requests, TableName)) {
      const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
      const kilobytes = Math.max(1, Math.ceil(bytesOf(Item) / 1_024));
      const add = (purpose: Purpose, writes: number) =>
        units.set(purpose, (units.get(purpose) ?? 0) + writes * kilobytes);
      const purpose = purposeOf(key);
      add(purpose === "the run's item" ? 'claim' : purpose, alone);
      add(purpose, 2 * inTransactions);
    }
  return units;
}

/** What the write units of a run with one tool call are for. In a service of its own, whose functions have worked before. */
export async function writeUnitsTable(catalogue: object): Promise<string> {
  const cloud = await startCloud(catalogue);
  const [agents, worker] = [await cloud.start('agents'), await cloud.start('worker')];
  await createRun(agents, questions.simple);
  await workOnce(cloud, worker);
  const created = await used([agents], () => createRun(agents, questions.simple));
  const earlier = worker.sent().length;
  const worked = await used([worker], () => workOnce(cloud, worker));
  const units = new Map([
    ...(await unitsOfWork(cloud, worker.sent().slice(earlier))),
    ['creation, with its purse', created.writeUnits] as const,
  ]);
  await cloud.stop();
  const sum = (all: Iterable<number>) => [...all].reduce((total, each) => total + each, 0);
  const all = created.writeUnits + worked.writeUnits;
  if (sum(units.values()) !== all) throw new Error(`the parts of ${all} units are ${sum(units.values())}`);
  return table(
    ['write units of a run', 'before', 'now'],
    [
      ...(Object.keys(before) as Purpose[]).map((each) => [each, before[each], units.get(each) ?? 0]),
      ['in all', sum(Object.values(before)), all],
      ['of indexes', indexesBefore, created.indexWriteUnits + worked.indexWriteUnits],
    ],
  );
}

import { type Cloud, type CloudFunction, startCloud } from '../../support/lambda/cloud.ts';
import type { ScriptedUpstream } from '../../support/scripted-upstream.ts';
import { table } from '../figures.ts';
import { startConverting } from '../stage/converting.ts';
import { catalogueOf } from '../stage/models.ts';
import { createRun, get, post, read, workOnce } from '../stage/use-functions.ts';
import { left, type Stored } from './kept-runs.ts';
import { costsOf } from './tables.ts';
import { used } from './usage.ts';

const chainLength = 5;

/** What each run of a chain uses and leaves behind, the first of which was sent a document. */
export async function chainTable(upstream: ScriptedUpstream): Promise<string> {
  const cloud = await startCloud(catalogueOf(upstream));
  const converting = await startConverting(cloud);
  const [worker, converter] = [await cloud.start('worker'), await cloud.start('converter')];
  const { agents } = converting;
  // What a function reads once is not counted.
  await createRun(agents, 'Is it warm?');
  await workOnce(cloud, worker);
  const measure = measureOn(cloud, upstream, [agents, worker, converter]);
  const rows = [
    await measure('the first, with a PDF of 68 KB', () => converting.create('office.pdf', converter), worker),
  ];
  for (let place = 2; place <= chainLength; place++) {
    const previousRunId = await newestRun(agents);
    const asked = { question: `And question ${place}?`, previousRunId };
    rows.push(await measure(`number ${place}`, () => read(post(agents, '/v1/agents/runs', asked)), worker));
  }
  await converting.close();
  await cloud.stop();
  const head = ['a run of the chain', 'read units', 'write units', 'of indexes', 'S3', 'in the table'];
  return table([...head, 'in the bucket', 'first request to the model', '1,000 of them: stores'], rows);
}

async function newestRun(agents: CloudFunction): Promise<string> {
  const page = JSON.parse((await get(agents, '/v1/agents/runs?limit=1')).toString());
  return (page as { runs: [{ agentId: string }] }).runs[0].agentId;
}

const measureOn =
  (cloud: Cloud, { requests }: ScriptedUpstream, functions: readonly CloudFunction[]) =>
  async (what: string, create: () => Promise<unknown>, worker: CloudFunction): Promise<string[]> => {
    const asked = requests.length;
    let stored: Stored | undefined;
    const units = await used(functions, async () => {
      stored = await left(cloud, async () => {
        await create();
        await workOnce(cloud, worker);
      });
    });
    const { tableBytes = 0, bucketBytes = 0 } = stored ?? {};
    const { stores } = costsOf({ units, invocations: [], edgeRequests: 0, bytesOut: 0 });
    const counts = [units.readUnits, units.writeUnits, units.indexWriteUnits];
    return [
      what,
      ...[...counts, units.filePuts + units.fileGets].map((each) => each.toFixed(0)),
      ...[tableBytes, bucketBytes, requests[asked]?.text.length ?? 0].map(
        (bytes) => `${(bytes / 1e3).toFixed(1)} KB`,
      ),
      `$${(1_000 * stores).toFixed(4)}`,
    ];
  };

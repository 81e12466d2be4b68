import { parseArgs } from 'node:util';
import { functionShapes } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import { type Cloud, startCloud } from '../../support/lambda/cloud.ts';
import { startReceiver } from '../../webhooks/support/receiver.ts';
import { publish } from '../page.ts';
import { startConverting } from '../stage/converting.ts';
import { catalogueOf, startModels } from '../stage/models.ts';
import { environmentFor } from '../stage/reach-out.ts';
import { startSite } from '../stage/site.ts';
import { type Init, type Measured, measure, measureOnce, peakMegabytes, startAt } from './measure.ts';
import { measurePlaces, placesTable, withPlaces } from './side-by-side.ts';
import { type MeasuredFunction, tablesOf } from './tables.ts';
import { listWork, type Work } from './work.ts';

/** Functions are measured with the heap that Lambda gives at this memory, so that garbage is collected as in a small one. */
const measuredMegabytes = 256;
const starts = 4;
const chunkMilliseconds = 10;

/**
 * Measures each function under Lambda's runtime client, and estimates what it would take and cost with each memory. With
 * `--write`, README.md beside it gets the tables; `--only places` makes that of the worker's runs beside each other alone.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { write: { type: 'boolean' }, only: { type: 'string' } },
  });
  const page = values.write ? 'test/bench/memory/README.md' : undefined;
  const upstream = await startModels(chunkMilliseconds);
  const site = await startSite();
  const receiver = await startReceiver({ secure: true });
  const cloud = await startCloud(catalogueOf(upstream));
  const converting = await startConverting(cloud);
  const places = await measurePlaces(cloud, converting.agents, site.environment);
  await publish(page, 'places', placesTable(places));
  const works = values.only === 'places' ? [] : await listWork(cloud, converting);
  const measured: MeasuredFunction[] = [];
  for (const name of new Set(works.map((work) => work.name))) {
    const own = works.filter((work) => work.name === name);
    const environment = name === 'webhooks' ? environmentFor(receiver) : site.environment;
    const one = await measureFunction(cloud, name, own, environment);
    measured.push(name === 'worker' ? { ...one, peaks: withPlaces(one.peaks, places) } : one);
  }
  const names = Object.keys(functionShapes);
  measured.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
  await converting.close();
  await cloud.stop();
  await upstream.close();
  site.close();
  await receiver.close();
  if (values.only !== 'places') await publish(page, 'memory', tablesOf(measured));
}

async function measureFunction(
  cloud: Cloud,
  name: FunctionName,
  works: readonly Work[],
  environment: Record<string, string>,
): Promise<MeasuredFunction> {
  const inits: Init[] = [];
  const firsts: number[] = [];
  const done: Measured[] = [];
  const peaks = { all: 0, mainThread: 0 };
  for (let start = 1; start <= starts; start++) {
    const { target, init } = await startAt(cloud, name, measuredMegabytes, environment);
    inits.push(init);
    firsts.push((await measureOnce(works[0] as Work, target)).toAnswer);
    for (const work of start === starts ? works : []) {
      done.push(await measure(work, target));
      peaks.all = peakMegabytes(target.pid);
      if (!work.thread) peaks.mainThread = peaks.all;
    }
    if (target.refused().length > 0) throw new Error(`${name} was refused ${target.refused().join(', ')}`);
    await target.stop();
  }
  // Other work on the machine makes a start slower, and none makes it faster.
  const least = (of: keyof Init) => Math.min(...inits.map((each) => each[of]));
  return {
    name,
    init: { cpuSeconds: least('cpuSeconds'), wallSeconds: least('wallSeconds') },
    firstCpuSeconds: Math.min(...firsts),
    peaks,
    works: done,
  };
}

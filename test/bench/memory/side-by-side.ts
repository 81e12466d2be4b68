import { limits } from '@errand/platform';
import { functionShapes } from '../../../infra/functions.ts';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import { createKeys } from '../containers/accounts.ts';
import { megabytes, table } from '../figures.ts';
import { questions } from '../stage/models.ts';
import { get, post, read, workOnAll } from '../stage/use-functions.ts';
import type { Peaks } from './estimate.ts';
import { peakMegabytes, startAt } from './measure.ts';

const places = limits.runsPerInvocation;

type Question = keyof typeof questions;
const shown: Record<Question, string> = {
  simple: 'two completions',
  page: 'a page of 150 KB',
  largePages: 'four pages of 4.8 MB',
};

/** The most memory of a worker whose places all work at the same time, each on a run of another account, with the heap of its own memory. */
export async function measurePlaces(
  cloud: Cloud,
  agents: CloudFunction,
  environment: Record<string, string>,
): Promise<Record<Question, number>> {
  const keys = await createKeys(cloud, places);
  const peaks: Record<Question, number> = { simple: 0, page: 0, largePages: 0 };
  for (const question of Object.keys(peaks) as Question[]) {
    const { target } = await startAt(cloud, 'worker', functionShapes.worker.memoryMegabytes, environment);
    const ids = await Promise.all(keys.map((key) => create(agents, questions[question], key)));
    await workOnAll(cloud, target, places);
    peaks[question] = peakMegabytes(target.pid);
    await target.stop();
    for (const [i, id] of ids.entries()) await checkEnd(agents, id, keys[i]);
  }
  return peaks;
}

async function create(agents: CloudFunction, question: string, key: string): Promise<string> {
  const body = await read(post(agents, '/v1/agents/runs', { question }, key));
  return (JSON.parse(body.toString()) as { agentId: string }).agentId;
}

async function checkEnd(agents: CloudFunction, id: string, key = ''): Promise<void> {
  const run = (await get(agents, `/v1/agents/runs/${id}`, { key })).toString();
  if ((JSON.parse(run) as { status: string }).status !== 'succeeded') throw new Error(run);
}

/** What the worker needs besides what one run after the other has shown. */
export const withPlaces = (
  { all, mainThread }: Pick<Peaks, 'all' | 'mainThread'>,
  peaks: Record<Question, number>,
): Pick<Peaks, 'all' | 'mainThread'> => ({
  all: Math.max(all, ...Object.values(peaks)),
  mainThread: Math.max(mainThread, peaks.simple),
});

export const placesTable = (peaks: Record<Question, number>): string =>
  table(
    [`${places} runs beside each other, each with`, 'peak memory of the worker'],
    (Object.keys(peaks) as Question[]).map((each) => [shown[each], megabytes(peaks[each])]),
  );

import { setTimeout as delay } from 'node:timers/promises';
import { type Cloud, type CloudFunction, startCloud } from '../../support/lambda/cloud.ts';
import type { ScriptedUpstream } from '../../support/scripted-upstream.ts';
import { broadQuestion, catalogueOf, partsOfQuestion } from '../stage/models.ts';
import { createRun } from '../stage/use-functions.ts';
import { type Line, usageTable } from './tables.ts';
import { assumedSeconds, receiveSeconds, type Usage, used } from './usage.ts';

const thousand = 1_000;
/** The completions in which a run splits its question, and answers by the reports. */
const ownSeconds = { before: 10, after: 20 } as const;

/** What a run of high effort uses whose question is worked on by eight sub-runs, with a tool call each. */
export async function subRunsTable(upstream: ScriptedUpstream): Promise<string> {
  const cloud = await startCloud(catalogueOf(upstream));
  const [agents, worker] = [await cloud.start('agents'), await cloud.start('worker')];
  const work = async () => {
    await createRun(agents, broadQuestion, { effort: 'high' });
    await workUntil(cloud, worker, succeeded(worker) + 1 + partsOfQuestion);
  };
  await work();
  const units = await used([agents, worker], work);
  await cloud.stop();
  const { run } = assumedSeconds;
  const inInvocations = (seconds: readonly number[]): Usage => ({
    // Lambda's poller receives and deletes a message of each; the others are received while the invocation works.
    units: {
      ...units,
      queueRequests: units.queueRequests + sum(seconds.map((each) => each / receiveSeconds + 1)),
    },
    invocations: [
      { name: 'agents', seconds: assumedSeconds.request },
      ...seconds.map((each) => ({ name: 'worker' as const, seconds: each + receiveSeconds / 2 })),
    ],
    edgeRequests: 1,
    bytesOut: 1_000,
  });
  const { before, after } = ownSeconds;
  const line = (what: string, seconds: readonly number[]): Line => ({
    what,
    usage: inInvocations(seconds),
    times: thousand,
  });
  return usageTable([
    line(`1,000 runs with ${partsOfQuestion} sub-runs, which share an invocation`, [before, run, after]),
    line('the same, each in an invocation of its own', [
      before,
      ...Array.from({ length: partsOfQuestion }, () => run),
      after,
    ]),
  ]);
}

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);

const succeeded = (worker: CloudFunction): number =>
  worker.log().filter(({ message, outcome }) => message === 'run worked on' && outcome === 'succeeded')
    .length;

/** Gives the worker messages until so many runs have succeeded in it. A run that waits leaves its message in the queue. */
async function workUntil(cloud: Cloud, worker: CloudFunction, runs: number): Promise<void> {
  while (succeeded(worker) < runs) {
    const message = await cloud.receive();
    if (!message) await delay(20);
    else {
      const { chunks, failure } = worker.invoke({ Records: [message] }, { milliseconds: 900_000 });
      for await (const _ of chunks);
      const failed = await failure;
      if (failed) throw new Error(`the worker: ${JSON.stringify(failed)}`);
    }
  }
}

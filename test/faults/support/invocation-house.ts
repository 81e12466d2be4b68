import { readFileSync } from 'node:fs';
import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { localQueues } from '@errand/local/testing';
import { expect } from 'vitest';
import { batchFor } from '../../../infra/concurrency.ts';
import { functionShapes } from '../../../infra/functions.ts';
import { eventually } from '../../support/eventually.ts';
import { type Cloud, type CloudFunction, startCloud } from '../../support/lambda/cloud.ts';
import { type EventSource, startEventSource } from '../../support/lambda/event-source.ts';
import type { Meddle } from '../../support/lambda/guard.ts';
import { publicSite, publicSiteAt } from '../../support/lambda/public-site.ts';
import { alike, everythingRun } from './everything-run.ts';
import { type Reference, type RunOf, type Subject, startSubject } from './evidence.ts';
import { catalogueJson, type Ground, groundOn, leaseSeconds } from './ground.ts';
import { type Outside, startOutside } from './outside.ts';

type SourceOptions = Partial<Parameters<typeof startEventSource>[0]>;

interface Given extends SourceOptions {
  /** Meddles with the requests of an environment, which are told apart by the order in which they started, from 1. */
  meddle?(number: number, environment: () => CloudFunction | undefined): Meddle;
}

/** The bundled worker behind an event source mapping, on the embedded AWS. All its runs have one queue. */
export interface InvocationHouse {
  ground: Ground;
  /** What an invocation begins with at most, and what it takes of one account. */
  batch: number;
  /** Creates runs, each of an account of its own, before any of them is worked on. */
  createRuns(labels: readonly string[], runOf?: RunOf): Promise<Subject[]>;
  start(given?: Given): EventSource;
  /** What the workers have logged so far of how they left each run. */
  outcomes(): unknown[];
  /** Expects that the queue has no message left, hidden or not. */
  expectEmptyQueue(): Promise<void>;
  close(): Promise<void>;
}

const runsPerInvocation = 5;
const batch = batchFor(runsPerInvocation);

/** As seen by functions, which fetch from public addresses alone. */
const seenFromFunctions = (outside: Outside): Outside => ({ ...outside, url: publicSite });

export const publicRun: RunOf = (outside, label) => everythingRun(seenFromFunctions(outside), label);

export async function startHouse(): Promise<InvocationHouse> {
  const outside = await startOutside();
  const cloud = await startCloud(catalogueJson(outside.url));
  const { clients, endpoints } = cloud;
  const queues = await localQueues(clients.sqs);
  // AWS wants more than the function's time. It is waited for here wherever a batch dies before its runs are begun.
  const Attributes = { VisibilityTimeout: String(leaseSeconds) };
  await clients.sqs.send(new SetQueueAttributesCommand({ QueueUrl: queues.queueUrl, Attributes }));
  const ground: Ground = {
    ...groundOn({ endpoints, outsideUrl: outside.url, leaseSeconds }, clients, outside),
    newQueues: async () => queues,
    async close() {
      await cloud.stop();
      await outside.close();
    },
  };
  const environment = {
    ...publicSiteAt(outside.port),
    RUN_LEASE_SECONDS: String(leaseSeconds),
    RUNS_PER_INVOCATION: String(runsPerInvocation),
    SEARCH_PROVIDER: 'searxng',
    SEARCH_BASE_URL: outside.url,
  };
  const all: CloudFunction[] = [];
  const start: InvocationHouse['start'] = ({ meddle, ...options } = {}) => {
    let number = 0;
    return startEventSource({
      sqs: clients.sqs,
      queueUrl: queues.queueUrl,
      queueArn: queues.arns.queue,
      batchSize: batch,
      maximumConcurrency: 2,
      timeoutMilliseconds: () => functionShapes.worker.timeoutSeconds * 1000,
      async start() {
        let started: CloudFunction | undefined;
        started = await cloud.start('worker', { environment, meddle: meddle?.(++number, () => started) });
        all.push(started);
        return started;
      },
      ...options,
    });
  };
  return {
    ground,
    batch,
    start,
    outcomes: () =>
      all
        .flatMap(({ log }) => log())
        .filter(({ message }) => message === 'run worked on')
        .map(({ outcome }) => outcome),
    createRuns: (labels, runOf = publicRun) =>
      Promise.all(labels.map((label) => startSubject(ground, label, runOf))),
    async expectEmptyQueue() {
      const { queueUrl, deadLetterQueueUrl } = queues;
      for (const url of [queueUrl, deadLetterQueueUrl])
        await eventually(() => messagesIn(clients, url)).toEqual(['0', '0', '0']);
    },
    async close() {
      expect(all.flatMap(({ refused }) => refused())).toEqual([]);
      await ground.close();
    },
  };
}

/** `publicRun` in an invocation of its own, to which nothing happens. */
export async function undisturbedInvocation(house: InvocationHouse): Promise<Reference> {
  const [{ desk, agentId, label }] = (await house.createRuns(['undisturbed'])) as [Subject];
  const source = house.start();
  const events = alike(await desk.follow(agentId), { agentId, label });
  const charged = await desk.charged(agentId);
  await source.stop();
  desk.close();
  return { events, charged, points: [] };
}

async function messagesIn({ sqs }: Cloud['clients'], QueueUrl: string): Promise<(string | undefined)[]> {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  const { Attributes } = await sqs.send(command);
  return [
    Attributes?.ApproximateNumberOfMessages,
    Attributes?.ApproximateNumberOfMessagesNotVisible,
    Attributes?.ApproximateNumberOfMessagesDelayed,
  ];
}

/** Kills an environment that has had more memory than this, before another request of it is passed on: what it has done since is lost. */
export const killBeyond =
  (megabytes: number, environment: () => CloudFunction | undefined): Meddle =>
  () => {
    const { pid } = environment() ?? {};
    if (pid === undefined || peakMegabytes(pid) <= megabytes) return undefined;
    process.kill(pid, 'SIGKILL');
    return 'drop';
  };

/** 0 once the process has ended. */
function peakMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

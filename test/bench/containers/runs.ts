import { setTimeout as delay } from 'node:timers/promises';
import { type Cloud, type CloudFunction, startCloud } from '../../support/lambda/cloud.ts';
import { percentiles } from '../figures.ts';
import { cpuOfProcess } from '../processes.ts';
import { catalogueOf, questions, startModels } from '../stage/models.ts';
import { startSite } from '../stage/site.ts';
import { read } from '../stage/use-functions.ts';
import { createKeys } from './accounts.ts';
import { type ContainerProcess, startContainer, watchMemory } from './start-container.ts';

/** A run of docs/cost.md: three completions of a third of its time, the first of which calls a tool. */
export const runSeconds = 60;
const completions = 3;
const accounts = 16;

export interface RunFigures {
  what: keyof typeof questions;
  atOnce: number;
  cpuMilliseconds: number;
  /** The most memory of the process while it worked. */
  megabytes: number;
  /** From its acceptance to its end, without the time of its models. */
  beside: { p50: number; p99: number };
  failed: number;
  logBytes: number;
}

export interface WorkingContainer {
  container: ContainerProcess;
  measure(what: keyof typeof questions, atOnce: number): Promise<RunFigures>;
  stop(): Promise<void>;
}

/** Starts the container of workers behind models that take as long as docs/cost.md assumes. */
export async function startWorking(gigabytes: number): Promise<WorkingContainer> {
  let answerMilliseconds = 0;
  const upstream = await startModels(0, () => answerMilliseconds);
  const site = await startSite();
  const cloud = await startCloud(catalogueOf(upstream));
  const keys = await createKeys(cloud, accounts);
  const container = await startContainer(cloud, {
    entry: 'functions/worker-container.ts',
    name: 'worker',
    gigabytes,
    environment: site.environment,
  });
  for (const what of ['simple', 'page'] as const)
    for (let round = 0; round < 4; round++) await measure(cloud, container, keys, { what, atOnce: 16 });
  answerMilliseconds = (runSeconds * 1_000) / completions;
  return {
    container,
    measure: (what, atOnce) => measure(cloud, container, keys, { what, atOnce }),
    async stop() {
      container.stop();
      await cloud.stop();
      site.close();
      await upstream.close();
    },
  };
}

async function measure(
  cloud: Cloud,
  { pid, logged }: ContainerProcess,
  keys: readonly string[],
  { what, atOnce }: { what: keyof typeof questions; atOnce: number },
): Promise<RunFigures> {
  const agents = await cloud.start('agents');
  const cpu = cpuOfProcess(pid);
  const most = watchMemory(pid);
  const before = logged();
  const runs = await Promise.all(
    Array.from({ length: atOnce }, (_, i) => followOne(agents, keys[i % keys.length] ?? '', questions[what])),
  );
  return {
    what,
    atOnce,
    cpuMilliseconds: (cpuOfProcess(pid) - cpu) / atOnce,
    megabytes: most(),
    beside: percentiles(runs.map(({ seconds }) => (seconds - runSeconds) * 1_000)),
    failed: runs.filter(({ status }) => status !== 'succeeded').length,
    logBytes: (logged() - before) / atOnce,
  };
}

/** Starts a run, and waits for its end. */
async function followOne(agents: CloudFunction, key: string, question: string) {
  const body = JSON.stringify({ question });
  const headers = { 'Content-Type': 'application/json' };
  const created = await read(agents.request('/v1/agents/runs', { method: 'POST', headers, body, key }));
  const { agentId } = JSON.parse(created.toString()) as { agentId: string };
  for (;;) {
    const answer = await read(agents.request(`/v1/agents/runs/${agentId}`, { key }));
    const run = JSON.parse(answer.toString()) as { status: string; createdAt: string; updatedAt: string };
    const seconds = (Date.parse(run.updatedAt) - Date.parse(run.createdAt)) / 1_000;
    if (!['queued', 'running'].includes(run.status)) return { status: run.status, seconds };
    await delay(1_000);
  }
}

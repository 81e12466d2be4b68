import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { png } from '../../uploads/support.ts';
import { type Caller, until } from './caller.ts';
import { chat, startWithFile } from './fill.ts';
import type { OpenRun } from './manifest.ts';
import { answerTo, labelOf, questions, type TestModels, turnOf } from './models.ts';
import type { ServiceProcess } from './process.ts';

/** How a run stands whose worker is about to be killed. */
export async function standOf(caller: Caller, agentId: string): Promise<OpenRun> {
  const { usage } = await caller.run(agentId);
  return { agentId, key: caller.key, events: await caller.events(agentId), credits: usage.credits };
}

/** Starts a run whose model answers once and then never again. */
export async function strandRunning(caller: Caller, { provider }: TestModels): Promise<OpenRun> {
  let isAsked = false;
  provider.script((request) => {
    if (labelOf(request) !== 'running' || turnOf(request) === 1) return answerTo(request);
    isAsked = true;
    return 'hang';
  });
  const agentId = await caller.start({ question: questions.running });
  await until('the run asks its model again', () => isAsked);
  return standOf(caller, agentId);
}

/** Starts a run whose provider fails, so that it waits. */
export async function strandWaiting(
  caller: Caller,
  { provider }: TestModels,
  service: ServiceProcess,
): Promise<OpenRun> {
  provider.script((request) => (labelOf(request) === 'waiting' ? { status: 503 } : 'hang'));
  const agentId = await caller.start({ question: questions.waiting });
  await until('the run waits for its provider', () =>
    service.log().some((line) => line.agentId === agentId && line.outcome === 'waiting'),
  );
  return standOf(caller, agentId);
}

/** Starts runs while there is no worker: one that uses a skill, and one whose image has been seen. */
export async function strandQueued(
  caller: Caller,
  { provider }: TestModels,
): Promise<Record<'queued' | 'image', OpenRun>> {
  provider.script(answerTo);
  const skills = { name: 'provided', version: 1 };
  const queued = await caller.start({ question: questions.queued, skills });
  const image = await startWithFile(caller, 'image', 'dot.png', png);
  return { queued: await standOf(caller, queued), image: await standOf(caller, image) };
}

/**
 * Makes a charge while the store does not answer, so that it stays in the data folder. The store is a process below the
 * one that the service file names.
 */
export async function strandCharge(
  caller: Caller,
  { provider }: TestModels,
  { dataDir, pid }: { dataDir: string; pid: number },
): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  provider.script(async (request) => {
    asked.resolve();
    await stopped.promise;
    return answerTo(request);
  });
  const answering = chat(caller, questions.kept).catch(() => undefined);
  await asked.promise;
  for (const below of await processesBelow(pid)) process.kill(below, 'SIGSTOP');
  stopped.resolve();
  await answering;
  const folder = path.join(dataDir, 'charges');
  await until('the charge is kept in the data folder', async () =>
    (await readdir(folder)).some((name) => name.endsWith('.json')),
  );
}

/** Linux tells the children of a process. */
async function processesBelow(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(processesBelow))).flat()];
}

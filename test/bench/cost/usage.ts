import { setTimeout as delay } from 'node:timers/promises';
import { newApiKey } from '@errand/accounts/testing';
import { limits } from '@errand/platform';
import type { FunctionName } from '../../../infra/permissions.ts';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import type { LambdaResponse } from '../../support/lambda/http.ts';
import { sumUnits, type Units } from '../../support/lambda/units.ts';
import type { Converting } from '../stage/converting.ts';
import { questions } from '../stage/models.ts';
import { callTool, listen, type Sending } from '../stage/reach-out.ts';
import {
  chatBody,
  createRun,
  decisionBody,
  post,
  read,
  responseBody,
  workOnce,
} from '../stage/use-functions.ts';

const rounds = 20;
const hourSeconds = 3_600;
/** A stream of a run is watched this long, then longer: the difference is what each second of it uses. */
const watchedSeconds = { short: 10, long: 30 } as const;

/** How long a function is busy with one thing. The models decide that, not this machine. */
export const assumedSeconds = {
  run: 60,
  chat: 10,
  decision: 1,
  request: 0.05,
  lookup: 0.01,
  conversion: 0.4,
  webhook: 0.2,
} as const;

/** What one run, chat, decision or hour of watching uses, and how long it keeps which functions busy. */
export interface Usage {
  units: Units;
  invocations: { name: FunctionName; seconds: number }[];
  edgeRequests: number;
  bytesOut: number;
}

const combine = (left: Units, right: Units, of: (left: number, right: number) => number): Units => {
  const made = { ...left };
  for (const name of Object.keys(made) as (keyof Units)[]) made[name] = of(left[name], right[name]);
  return made;
};

/** What the functions use while the work is done. */
export async function used(
  functions: readonly CloudFunction[],
  work: () => Promise<unknown>,
): Promise<Units> {
  const total = () => sumUnits(functions.map((each) => each.units()));
  const before = total();
  await work();
  return combine(total(), before, (now, then) => now - then);
}

/** What the functions use for one of the rounds, when they have done such work before. */
async function usedByOne(functions: readonly CloudFunction[], work: () => Promise<unknown>): Promise<Units> {
  await work();
  const units = await used(functions, async () => {
    for (let round = 0; round < rounds; round++) await work();
  });
  return combine(units, units, (all) => all / rounds);
}

/** Runs beside each other in an invocation of the worker: alone, and under load, where places wait to be filled in its last minutes. */
export const runsBeside = { alone: 1, load: 9 } as const;
/** A receive of the worker waits so long; an invocation that is full does not ask. */
export const receiveSeconds = 2;

/** The same run with others in its invocation: they share its time, and it asks for no more messages. */
export const besideOthers = (usage: Usage): Usage => ({
  ...usage,
  units: {
    ...usage.units,
    queueRequests: usage.units.queueRequests - assumedSeconds.run / receiveSeconds + 1,
  },
  invocations: usage.invocations.map(({ name, seconds }) => ({
    name,
    seconds: name === 'worker' ? assumedSeconds.run / runsBeside.load : seconds,
  })),
});

export async function measureRun(cloud: Cloud, agents: CloudFunction, worker: CloudFunction): Promise<Usage> {
  const units = await usedByOne([agents, worker], async () => {
    await createRun(agents, questions.simple);
    await workOnce(cloud, worker);
  });
  // Lambda's poller receives and deletes each message. The worker was measured with models that answer at once: it asked once.
  const receives = assumedSeconds.run / receiveSeconds - 1;
  return {
    units: { ...units, queueRequests: units.queueRequests + 2 + receives },
    invocations: [
      { name: 'agents', seconds: assumedSeconds.request },
      // Its last receive is waited for.
      { name: 'worker', seconds: assumedSeconds.run + receiveSeconds / 2 },
    ],
    edgeRequests: 1,
    bytesOut: 1_000,
  };
}

/** What a document adds to the creation of a run: a call of the converter, for which the other function waits. */
export async function measureConversion(
  { agents, convert }: Converting,
  converter: CloudFunction,
): Promise<Usage> {
  const plain = await usedByOne([agents], () => createRun(agents, questions.simple));
  const withDocument = await usedByOne([agents, converter], () => convert('office.pdf', converter));
  const seconds = assumedSeconds.conversion;
  return {
    units: combine(withDocument, plain, (more, less) => Math.max(0, more - less)),
    invocations: [
      { name: 'agents', seconds },
      { name: 'converter', seconds },
    ],
    edgeRequests: 0,
    bytesOut: 0,
  };
}

export const measureChat = (chat: CloudFunction): Promise<Usage> =>
  measurePost(chat, '/v1/chat/completions', chatBody, { name: 'chat', seconds: assumedSeconds.chat });

export const measureResponse = (responses: CloudFunction): Promise<Usage> =>
  measurePost(responses, '/v1/responses', responseBody, { name: 'responses', seconds: assumedSeconds.chat });

export const measureDecision = (systemone: CloudFunction): Promise<Usage> =>
  measurePost(systemone, '/v1/systemone', decisionBody, {
    name: 'systemone',
    seconds: assumedSeconds.decision,
  });

async function measurePost(
  target: CloudFunction,
  path: string,
  body: object,
  invocation: Usage['invocations'][number],
): Promise<Usage> {
  let bytes = 0;
  let requests = 0;
  const units = await usedByOne([target], async () => {
    bytes = (await read(post(target, path, body))).length;
    requests++;
    // The charge of a decision follows its answer.
    while (target.log().filter(({ message }) => message === 'charged').length < requests) await delay(5);
  });
  return { units, invocations: [invocation], edgeRequests: 1, bytesOut: bytes };
}

/** A request whose key nobody has: the key has the form of one, so it is looked up. */
export const measureUnknownKey = (chat: CloudFunction): Promise<Usage> =>
  measureLookup(chat, 'chat', 401, () =>
    chat.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(chatBody),
      key: newApiKey(),
    }),
  );

/** What the probe asks for. */
export const measureHealth = (site: CloudFunction): Promise<Usage> =>
  measureLookup(site, 'site', 200, () => site.request('/healthz', { key: null }));

async function measureLookup(
  target: CloudFunction,
  name: FunctionName,
  status: number,
  ask: () => Promise<LambdaResponse>,
): Promise<Usage> {
  let bytesOut = 0;
  const units = await usedByOne([target], async () => {
    const answer = await ask();
    bytesOut = (await answer.bytes()).length;
    if (answer.statusCode !== status) throw new Error(`${answer.statusCode} and not ${status}`);
  });
  return { units, invocations: [{ name, seconds: assumedSeconds.lookup }], edgeRequests: 1, bytesOut };
}

/** An hour of streams of a run on which nothing happens, each as long as a stream may be. */
export async function measureWatching(
  cloud: Cloud,
  agents: CloudFunction,
  watcher: CloudFunction,
): Promise<Usage> {
  const agentId = await createRun(agents, questions.simple);
  await cloud.receive();
  let bytes = 0;
  const watch = async (seconds: number) => {
    const milliseconds = seconds * 1_000 + limits.invocationEndMilliseconds;
    const answer = await watcher.request(`/v1/agents/runs/${agentId}/stream`, { milliseconds });
    bytes = (await answer.bytes()).length;
  };
  await watch(0);
  const short = await used([watcher], () => watch(watchedSeconds.short));
  const long = await used([watcher], () => watch(watchedSeconds.long));
  const more = watchedSeconds.long - watchedSeconds.short;
  const streams = hourSeconds / (limits.streamMilliseconds / 1_000);
  return {
    units: combine(long, short, (ofLong, ofShort) => {
      const ofSecond = (ofLong - ofShort) / more;
      return hourSeconds * ofSecond + streams * (ofShort - watchedSeconds.short * ofSecond);
    }),
    invocations: Array.from({ length: streams }, () => ({
      name: 'run-streams' as const,
      seconds: hourSeconds / streams,
    })),
    edgeRequests: streams,
    bytesOut: (bytes / watchedSeconds.long) * hourSeconds,
  };
}

/** What it adds to a run that its key has a webhook, which answers at once. */
export async function measureWebhook(
  cloud: Cloud,
  { agents, worker, sending }: { agents: CloudFunction; worker: CloudFunction; sending: Sending },
): Promise<Usage> {
  const work = async () => {
    await createRun(agents, questions.simple);
    await workOnce(cloud, worker);
  };
  const plain = await usedByOne([agents, worker], work);
  await listen(agents);
  let batches = 0;
  const told = await usedByOne([agents, worker, sending.webhooks], async () => {
    const before = sending.received();
    await work();
    batches = await sending.sendUntil(before + 1);
  });
  const units = combine(told, plain, (more, less) => Math.max(0, more - less));
  // Lambda's poller receives and deletes each message.
  return {
    units: { ...units, queueRequests: units.queueRequests + 2 * batches },
    invocations: Array.from({ length: batches }, () => ({
      name: 'webhooks' as const,
      seconds: assumedSeconds.webhook,
    })),
    edgeRequests: 0,
    bytesOut: 0,
  };
}

/** A question of an agent, which waits for its run. What the run itself costs is not in it. */
export async function measureAsk(cloud: Cloud, mcp: CloudFunction): Promise<Usage> {
  let agentId = '';
  let bytes = 0;
  const started = await usedByOne([mcp], async () => {
    const answer = await callTool(mcp, 'ask', { question: questions.simple, waitSeconds: 0 });
    bytes = answer.length;
    agentId = /"agentId":"([0-9a-f-]+)"/.exec(answer.toString())?.[1] ?? '';
    await cloud.receive();
  });
  const wait = (waitSeconds: number) => used([mcp], () => callTool(mcp, 'get_run', { agentId, waitSeconds }));
  const short = await wait(0);
  const long = await wait(watchedSeconds.short);
  const ofSecond = combine(long, short, (more, less) => (more - less) / watchedSeconds.short);
  return {
    units: combine(started, ofSecond, (once, each) => once + assumedSeconds.run * each),
    invocations: [{ name: 'mcp', seconds: assumedSeconds.run }],
    edgeRequests: 1,
    bytesOut: bytes,
  };
}

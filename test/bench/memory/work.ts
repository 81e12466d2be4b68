import type { FunctionShape } from '../../../infra/functions.ts';
import type { FunctionName } from '../../../infra/permissions.ts';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import type { Converting } from '../stage/converting.ts';
import { questions } from '../stage/models.ts';
import { callTool, listen, sendOnce } from '../stage/reach-out.ts';
import {
  chatBody,
  createRun,
  decisionBody,
  follow,
  get,
  post,
  read,
  responseBody,
  workOnce,
} from '../stage/use-functions.ts';

export type Thread = FunctionShape['assets'][number];

/** One thing that a function does again and again. */
export interface Work {
  name: FunctionName;
  what: string;
  /** How long one takes on AWS without its own CPU: models, stores, the rest of a stream. Assumed. */
  waitSeconds: number;
  rounds: number;
  /** True for work that takes long anyway, or for which no caller waits. */
  patient?: true;
  /** A program that a thread runs for it. Such work comes last, so that the memory before it is known. */
  thread?: Thread;
  /** Measured once for `shareOfOne` of it, because all of it takes too long. */
  shareOfOne?: number;
  prepare?(): Promise<unknown>;
  /** Calls `begun` when the answer of a stream begins: what CPU it takes later is spent while it waits. */
  once(target: CloudFunction, begun: () => void): Promise<unknown>;
}

/** A read or write of DynamoDB from Lambda in the same region. */
const storeSeconds = 0.005;
const watchedSeconds = 12;
const documents = { 'a PDF of 68 KB': 'office.pdf', 'a DOCX of 9 KB': 'office.docx' };

/**
 * The functions of `Converting` are of their own: they make runs for the others and call the converter. Work that needs them
 * comes first, because the runtime client ends a process after a minute without work.
 */
export async function listWork(cloud: Cloud, converting: Converting): Promise<Work[]> {
  const { agents } = converting;
  const agentId = await createRun(agents, questions.simple);
  await cloud.receive();
  return [
    ...runWork(cloud, agentId),
    webhookWork(cloud, agents),
    askWork(cloud),
    watchWork(cloud, agents),
    ...conversionWork(converting),
    ...workerWork(cloud, agents),
    ...answerWork,
  ];
}

const runWork = (cloud: Cloud, agentId: string): Work[] => [
  {
    name: 'agents',
    what: 'create a run',
    waitSeconds: 4 * storeSeconds,
    rounds: 20,
    once: async (target) => {
      await createRun(target, questions.simple);
      await cloud.receive();
    },
  },
  {
    name: 'agents',
    what: 'read a run',
    waitSeconds: storeSeconds,
    rounds: 20,
    once: (target) => get(target, `/v1/agents/runs/${agentId}`),
  },
];

function webhookWork(cloud: Cloud, agents: CloudFunction): Work {
  let id: string | undefined;
  return {
    name: 'webhooks',
    what: 'send a webhook',
    waitSeconds: 0.2,
    rounds: 20,
    patient: true,
    async once(target) {
      id ??= await listen(agents);
      await read(post(agents, `/v1/webhooks/${id}/test`, {}));
      await sendOnce(cloud, target);
    },
  };
}

const askWork = (cloud: Cloud): Work => ({
  name: 'mcp',
  what: 'start a run by `ask`',
  waitSeconds: 8 * storeSeconds,
  rounds: 20,
  patient: true,
  async once(target) {
    await callTool(target, 'ask', { question: questions.simple, waitSeconds: 0 });
    await cloud.receive();
  },
});

function watchWork(cloud: Cloud, agents: CloudFunction): Work {
  let agentId: string;
  return {
    name: 'run-streams',
    what: 'watch a quiet run for a minute',
    waitSeconds: 60,
    rounds: 3,
    patient: true,
    shareOfOne: watchedSeconds / 60,
    prepare: async () => {
      agentId = await createRun(agents, questions.simple);
      await cloud.receive();
    },
    once: (target, begun) =>
      follow(
        target.request(`/v1/agents/runs/${agentId}/stream`, {
          milliseconds: (watchedSeconds + 5) * 1_000,
        }),
        begun,
      ),
  };
}

/** What is asked of a function that needs nothing of another one. */
const answerWork: readonly Work[] = [
  {
    name: 'chat',
    what: 'stream a completion of 200 chunks',
    waitSeconds: 10,
    rounds: 6,
    once: (target, begun) => follow(post(target, '/v1/chat/completions', chatBody), begun),
  },
  {
    name: 'responses',
    what: 'stream a response of 200 chunks, and keep it',
    waitSeconds: 10,
    rounds: 6,
    once: (target, begun) => follow(post(target, '/v1/responses', responseBody), begun),
  },
  {
    name: 'systemone',
    what: 'decide',
    waitSeconds: 1,
    rounds: 20,
    once: (target) => read(post(target, '/v1/systemone', decisionBody)),
  },
  {
    name: 'skills',
    what: 'list skills',
    waitSeconds: storeSeconds,
    rounds: 20,
    once: (target) => get(target, '/v1/skills'),
  },
  {
    name: 'site',
    what: 'show credits',
    waitSeconds: storeSeconds,
    rounds: 20,
    once: (target) => get(target, '/v1/credits'),
  },
  {
    name: 'site',
    what: 'report usage of a month',
    waitSeconds: 20 * storeSeconds,
    rounds: 10,
    once: (target) => get(target, '/v1/usage'),
  },
];

const conversionWork = ({ convert }: Converting): Work[] =>
  Object.entries(documents).map(([what, file]): Work => {
    return {
      name: 'converter',
      what: `convert ${what}`,
      waitSeconds: 0.1,
      rounds: 4,
      patient: true,
      thread: 'convert-worker.mjs',
      once: (target) => convert(file, target),
    };
  });

const workerWork = (cloud: Cloud, agents: CloudFunction): Work[] =>
  ([questions.simple, questions.page] as const).map((question): Work => {
    return {
      name: 'worker',
      what: question === questions.page ? 'a run that reads a page of 150 KB' : 'a run of two completions',
      waitSeconds: 60,
      rounds: 8,
      patient: true,
      ...(question === questions.page && { thread: 'page-worker.mjs' }),
      prepare: () => createRun(agents, question),
      once: (target) => workOnce(cloud, target),
    };
  });

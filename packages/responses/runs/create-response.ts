import { mayUseAgent, type PayingEnv, watchKey } from '@errand/accounts';
import { defaultAgent, usableAgents } from '@errand/agents';
import {
  type AuthenticatedEnv,
  answerTime,
  type DeadlineEnv,
  DomainError,
  endOfRequest,
  isDomainError,
  nearestOf,
  startTimer,
} from '@errand/platform';
import { createRun, followToEnd, getRun, type RunRecord, type RunRequest, sendStream } from '@errand/runs';
import { uploadBytes } from '@errand/uploads';
import type { Context } from 'hono';
import type { ResponseObject } from '../answer/response-object.ts';
import type { ReadResponsesRequest } from '../request/read-request.ts';
import { joinEvents, type RunResponseDeps, readResponse, streamResponse } from './read-response.ts';
import { modelOfAgent, readRunRequest } from './read-run-request.ts';
import { inWordsOfTools } from './remote-servers.ts';

/**
 * Starts a run and answers with its response: at once in the background, as a stream, or when the run has ended. Who waits is
 * answered before the edge gives up, with the run as it is then.
 */
export async function createRunResponse(
  deps: RunResponseDeps,
  c: Context<PayingEnv & DeadlineEnv>,
  read: ReadResponsesRequest,
  cameAt: number,
): Promise<Response> {
  const { request } = read;
  const agentId = await createRun(deps, c, { read: async () => readRequest(deps, read) }).catch(
    async (error: unknown) => {
      if (isDomainError(error, 'agent_unresolved')) throw await unknownAgent(deps, c, request.model);
      // Nothing but the run before can be missing.
      const param = request.previous_response_id ? 'previous_response_id' : 'input';
      if (isDomainError(error, 'not_found')) throw new DomainError('response_not_found', { param });
      throw inWordsOfTools(error, request.tools);
    },
  );
  const run = await getRun(deps, c.var.principal, agentId);
  if (request.stream) return sendStream(deps, c, (controls) => streamResponse(deps, run, -1, controls));
  if (request.background) return c.json(await readResponse(deps, run));
  return c.json(await waitForEnd(deps, c, run, cameAt));
}

/** An account may have any number of agents, and each is compared letter by letter. */
const mostCompared = 200;

/** The refusal of a model that names no agent that can be used, with the nearest. */
async function unknownAgent(
  { agents }: RunResponseDeps,
  { var: { principal } }: Pick<Context<AuthenticatedEnv>, 'var'>,
  model: string,
): Promise<DomainError> {
  const names = (await usableAgents(agents, principal)).map(({ name }) => name);
  const models = [defaultAgent, ...names.slice(0, mostCompared)].filter((name) =>
    mayUseAgent(principal, name),
  );
  return new DomainError('model_not_found', {
    model,
    nearest: nearestOf(
      model,
      models.map((name) => modelOfAgent(name)),
    ),
  });
}

/** The file that came as bytes is stored once its request is let in. */
function readRequest(deps: RunResponseDeps, read: ReadResponsesRequest): RunRequest {
  const { body, marks, file } = readRunRequest(read);
  return { body, text: read.text, marks, ...(file && uploadBytes(deps, file)) };
}

/** The response at the run's end, or `in_progress` when the time of an answer is over. A server that stops answers at once. */
export async function waitForEnd(
  deps: RunResponseDeps,
  c: Pick<Context<AuthenticatedEnv>, 'env' | 'req' | 'var'>,
  run: RunRecord,
  cameAt: number,
): Promise<ResponseObject> {
  const over = new AbortController();
  const left = Math.max(0, answerTime(deps.accounts) - Math.max(0, deps.clock() - cameAt));
  const stopTimer = startTimer(deps, left, () => over.abort());
  const stopWatching = watchKey(deps.accounts, c.var.principal, (end) =>
    over.abort(new DomainError('unauthorized', { end })),
  );
  try {
    const signal = AbortSignal.any([over.signal, endOfRequest(c)]);
    const response = await joinEvents(deps, run, followToEnd(deps, run, signal), 'running');
    if (over.signal.reason instanceof DomainError) throw over.signal.reason;
    return response;
  } finally {
    stopTimer();
    stopWatching();
  }
}

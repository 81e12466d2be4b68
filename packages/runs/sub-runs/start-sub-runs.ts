import { type AccountsDeps, countRequest } from '@errand/accounts';
import { initialState, type SubRuns, writeCheckpoint } from '@errand/agent';
import {
  ConditionsFailed,
  limits,
  type NamedWrite,
  type Principal,
  packPayload,
  writeTraceparent,
} from '@errand/platform';
import type { RunsDeps } from '../deps.ts';
import { itemKeys, payloadPrefix } from '../item-keys.ts';
import { beginningOf } from '../question.ts';
import { sendRun } from '../queue.ts';
import { type Authorizations, keepAuthorizations } from '../remote-servers.ts';
import { contextOfRun, expirySeconds, newRunFields, type RunRecord } from '../run.ts';
import { listSubRuns, type RunInput } from '../store.ts';
import { writeRun } from '../writes.ts';

export interface SubRunsDeps extends RunsDeps {
  accounts: AccountsDeps;
}

/** A run that starts others, as its worker has it. */
export interface Parent {
  run: RunRecord;
  input: RunInput;
  authorizations: Authorizations;
}

type Start = Parameters<SubRuns['start']>;

const rateLimited = 'The requests of this account are used up for the moment. Go on with what there is.';

/**
 * Starts the sub-runs that were never started: one that was deleted since is not worked on, and charged, again. Those that nobody has taken yet
 * get their message again.
 */
export async function startSubRuns(
  deps: SubRunsDeps,
  parent: Parent,
  principal: Principal,
  ...[runs, guarded]: Start
): Promise<Map<string, string>> {
  const started = await listSubRuns(deps, parent.run.agentId, { limit: limits.subRunsPerRun });
  const existing = new Map(started.runs.map((run) => [run.agentId, run]));
  const problems = new Map<string, string>();
  for (const run of runs) {
    const before = existing.get(run.runId);
    if (before) {
      if (before.status === 'queued') await sendRun(deps, before);
      continue;
    }
    if (started.ids.includes(run.runId)) continue;
    const { exceeded } = await countRequest(deps.accounts, principal);
    if (exceeded) problems.set(run.runId, rateLimited);
    else await startSubRun(deps, parent, run, guarded);
  }
  return problems;
}

async function startSubRun(
  deps: SubRunsDeps,
  parent: Parent,
  planned: Start[0][number],
  guarded: Start[1],
): Promise<void> {
  const run = recordOf(deps, parent, planned);
  const { agentId, createdAt } = run;
  const TableName = deps.tables.runs;
  const expiresAtSeconds = expirySeconds(run);
  const packed = await packPayload(
    deps.files,
    `${payloadPrefix(agentId)}state-first.json`,
    writeCheckpoint({ ...initialState, ...guarded.state }),
  );
  const others: NamedWrite[] = [
    { Put: { TableName, Item: { ...itemKeys.state(agentId), ...packed, expiresAtSeconds } } },
    {
      Put: {
        TableName,
        Item: { ...itemKeys.subRun(parent.run.agentId, createdAt, agentId), agentId, expiresAtSeconds },
      },
    },
  ];
  if (run.hasAuthorizations) others.push(keepAuthorizations(deps, run, parent.authorizations));
  try {
    await writeRun(deps, run, inputOf(parent, planned.question, guarded), { others });
  } catch (error) {
    // An attempt whose answer got lost, or another worker, has written it.
    if (!(error instanceof ConditionsFailed && error.has('run-new'))) throw error;
  }
  await sendRun(deps, run);
}

function recordOf(deps: SubRunsDeps, { run: parent }: Parent, planned: Start[0][number]): RunRecord {
  const { agentId, keyId, payer, models, model, requestId, agent, hasAuthorizations } = parent;
  return {
    agentId: planned.runId,
    parentRunId: agentId,
    keyId,
    payer,
    ...newRunFields(deps),
    question: beginningOf(planned.question),
    metadata: undefined,
    webhookUrl: undefined,
    effort: 'medium',
    requestId,
    traceparent: deps.spans && writeTraceparent(contextOfRun(parent)),
    models,
    agent,
    ...(planned.capNanoEuro !== undefined && { maxNanoEuro: planned.capNanoEuro }),
    ...(model !== undefined && { model }),
    ...(hasAuthorizations && { hasAuthorizations }),
  };
}

/** It has the tools, servers and stored agent of its parent, and asks nobody. */
function inputOf({ input }: Parent, question: string, guarded: Start[1]): RunInput {
  const { agent, definedBy, origin, requestId, servers } = input;
  const { tools, approve, approveThreshold } = agent;
  return {
    agent: { ...guarded.input, question, tools, approve, approveThreshold, effort: 'medium' },
    definedBy,
    origin,
    requestId,
    servers,
  };
}

import { type AgentEvent, type AgentState, isTerminal, type TerminalEvent } from '@errand/agent';
import { type Charge, type Cost, chargeOf, transactCharges } from '@errand/money';
import { type ConditionsFailed, type NamedWrite, toIso } from '@errand/platform';
import { tellRunEnd } from '@errand/webhooks';
import { type Checkpoint, noCheckpoint, stateWrite } from './checkpoint-store.ts';
import type { EndingDeps, RunStoreDeps } from './deps.ts';
import { appendWrite } from './event-log.ts';
import { itemKeys } from './item-keys.ts';
import { leaseAttributes, unheldCondition } from './lease.ts';
import {
  type EndStatus,
  type RunStatus,
  statusCondition,
  type TransitionName,
  transitions,
} from './lifecycle.ts';
import { type Answer, outcomeOf } from './outcome.ts';
import { expirySeconds, type RunRecord } from './run.ts';
import { pauseAttributes, pauseOf } from './run-wait.ts';
import { subRunTotals } from './sub-runs/totals.ts';

/** A piece of work to record. `state` is absent if the run is ended while no worker holds it. */
export interface Commit extends Answer {
  events: readonly AgentEvent[];
  costs: readonly Cost[];
  state?: AgentState;
  /** With a pause: it is for the ends of these runs, and not for a provider. */
  waitsForRuns?: readonly string[];
  /**
   * Set if the run waits: the commit gives the lease back, and the message comes back after this
   * time.
   */
  pauseMilliseconds?: number;
}

/** Who may write: the holder of this lease or, if the token is undefined, anybody while no worker holds the run. */
type Fence = { token: string } | { token: undefined };

const terminalTransition: Record<TerminalEvent['type'], TransitionName> = {
  done: 'succeed',
  input_required: 'askForInput',
  error: 'fail',
};

/** The status of a run whose holder commits an event of this type. */
export const statusAfter = (type: TerminalEvent['type']): RunStatus =>
  transitions[terminalTransition[type]].to;

/**
 * Appends events, moves the checkpoint, changes the status and takes the charges, all in one transaction. A pause
 * gives the lease back in the same transaction, so that a worker that dies during the pause does not count as a
 * death of the run. Throws `ConditionsFailed` with `run-ours` if the fence does not let us write any more, or if
 * the run was asked to stop; `evenIfCancelled` ignores the latter. A commit that ends the run charges what is owed
 * since the creation, and gives back what was set aside then. Returns the run as it is now, and notes in `checkpoint` what
 * the store has of its state; without one, the state is written whole.
 */
export async function commitProgress(
  deps: EndingDeps,
  run: RunRecord,
  fence: Fence,
  progress: Commit,
  options: { evenIfCancelled?: boolean; checkpoint?: Checkpoint } = {},
): Promise<RunRecord> {
  const at = toIso(deps.clock());
  const attempt = fence.token ?? 'end';
  const terminal = progress.events.find(isTerminal);
  const owed = terminal && run.owed && !chargesOwed(run, progress) ? [run.owed] : [];
  const costs = progress.costs.map((cost) =>
    cost.id === run.owed?.id ? { ...run.owed, step: cost.step } : cost,
  );
  const commit = { ...progress, costs: [...costs, ...owed] };
  const ends = endsOf(run, commit, terminal !== undefined);
  const [progressed, head, told] = await Promise.all([
    progressWrites(deps, run, commit, { at, terminal, checkpoint: options.checkpoint }),
    headWrite(deps, run, fence, commit, { at, terminal, attempt, ends: ends.attributes, ...options }),
    terminal ? tellEnd(deps, run, terminal) : [],
  ]);
  const charges = commit.costs.map((cost) => toCharge(run, cost, at));
  const writes = [head, ...progressed.writes, ...authorizationsWrites(deps, run, terminal), ...told];
  await transactCharges(deps, charges, { writes, released: ends.released });
  progressed.made();
  return after(run, commit, ends.attributes);
}

const toCharge = ({ agentId, payer, keyId, requestId, skill }: RunRecord, cost: Cost, at: string): Charge =>
  chargeOf({ ...cost, id: `${agentId}:${cost.id}` }, { payer, runId: agentId, keyId, requestId, skill }, at);

/** The write that has the endpoints of the run's key told of its end. */
async function tellEnd(
  deps: EndingDeps,
  { agentId, keyId, payer, webhookUrl: url, parentRunId }: RunRecord,
  { type, ...told }: TerminalEvent,
): Promise<NamedWrite[]> {
  // A caller has asked one question, and is told of one end.
  if (deps.webhookQueueUrl === undefined || parentRunId !== undefined) return [];
  const status = statusAfter(type) as EndStatus;
  return tellRunEnd(deps, {
    agentId,
    keyId,
    accountId: payer.accountId,
    event: `run.${status}`,
    status,
    asked: type === 'input_required' ? told : undefined,
    url,
  });
}

/** Whether the commit charges what was done at the run's creation. */
const chargesOwed = ({ owed }: RunRecord, { costs }: Commit): boolean =>
  costs.some(({ id }) => id === owed?.id);

type Ending = 'reservation' | 'owed';

/**
 * The attributes from the run's creation that the commit removes, and the reservation that is given back because no
 * charge ends it.
 */
function endsOf(run: RunRecord, commit: Commit, isEnd: boolean) {
  const { reservation } = run;
  const isSettled = commit.costs.some((cost) => cost.reservation?.id === reservation?.id);
  const attributes: Ending[] = [];
  if (reservation && (isSettled || isEnd)) attributes.push('reservation');
  if (chargesOwed(run, commit)) attributes.push('owed');
  return { attributes, released: reservation && isEnd && !isSettled ? [reservation] : [] };
}

function after(run: RunRecord, { events, costs }: Commit, ended: readonly Ending[]): RunRecord {
  const spent = costs.reduce((sum, { amountNanoEuro }) => sum + amountNanoEuro, 0);
  const now = {
    ...run,
    lastEventId: run.lastEventId + events.length,
    amountNanoEuro: run.amountNanoEuro + spent,
  };
  for (const attribute of ended) delete now[attribute];
  return now;
}

/** The run that refused a commit, as it was then; undefined if it was gone, or if another condition failed. */
export const runThatRefused = (failure: ConditionsFailed): RunRecord | undefined =>
  failure.item('run-ours') as RunRecord | undefined;

async function headWrite(
  deps: RunStoreDeps,
  run: RunRecord,
  fence: Fence,
  commit: Commit,
  how: {
    at: string;
    terminal: TerminalEvent | undefined;
    attempt: string;
    ends: readonly Ending[];
    evenIfCancelled?: boolean;
  },
): Promise<NamedWrite> {
  const { terminal, at } = how;
  const held = fence.token !== undefined;
  const transition = terminal ? (held ? terminalTransition[terminal.type] : 'giveUp') : 'progress';
  const status = statusCondition(transition);
  const outcome = terminal ? await outcomeOf(deps, run, terminal, commit, how.attempt) : {};
  const { state } = commit;
  if (terminal && state?.phase === 'ended' && state.stopReason) outcome.stopReason = state.stopReason;
  const pause = pauseOf(commit, deps.clock());
  const pauses = pause !== undefined;
  const set: Record<string, unknown> = { ...outcome, ...pause, ...subRunTotals(commit) };
  const names = Object.keys(set);
  const removed = [
    ...how.ends,
    ...(terminal || pauses ? leaseAttributes : []),
    ...(pauses ? [] : pauseAttributes),
  ];
  const sums = totals(run, commit.costs);
  const owned = fenceCondition(run, fence, deps.clock(), how);
  return {
    condition: 'run-ours',
    Update: {
      TableName: deps.tables.runs,
      Key: itemKeys.run(run.agentId),
      UpdateExpression: [
        'SET #status = :to, updatedAt = :at, lastEventId = :newLastEventId',
        ...names.map((name) => `, #${name} = :${name}`),
        // Deaths are counted only while no commit lies between them.
        held && !pauses ? ', deaths = :none, deathsShared = :none' : '',
        ` REMOVE ${removed.join(', ')}`,
        ` ADD ${Object.keys(sums)
          .map((name) => `${name} :${name}`)
          .join(', ')}`,
      ].join(''),
      ConditionExpression: `${status.condition} AND lastEventId = :lastEventId AND ${owned.condition}`,
      ExpressionAttributeNames: {
        '#status': 'status',
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...status.values,
        ...Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
        ...owned.values,
        ...(held && !pauses && { ':none': 0 }),
        ':at': at,
        ':lastEventId': run.lastEventId,
        ':newLastEventId': run.lastEventId + commit.events.length,
        ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [`:${name}`, sum])),
      },
    },
  };
}

/** The condition that the run is still the holder's or, without a token, that nobody holds it. */
function fenceCondition(
  run: RunRecord,
  { token }: Fence,
  now: number,
  { evenIfCancelled }: { evenIfCancelled?: boolean },
): { condition: string; values: Record<string, unknown> } {
  if (token === undefined) return unheldCondition(run, now);
  const unlessCancelled = evenIfCancelled ? '' : ' AND attribute_not_exists(cancelRequested)';
  return { condition: `leaseToken = :token${unlessCancelled}`, values: { ':token': token } };
}

/**
 * What the costs add to the run. A figure that a run of an earlier release lacks is not counted from the middle of
 * the run on.
 */
function totals(run: RunRecord, costs: readonly Cost[]): Record<string, number> {
  const sum = (pick: (cost: Cost) => number | undefined) =>
    costs.reduce((total, cost) => total + (pick(cost) ?? 0), 0);
  const reasoningTokens = sum((cost) => cost.reasoningTokens);
  const isCounted = run.completions !== undefined;
  return {
    inputTokens: sum((cost) => cost.inputTokens),
    outputTokens: sum((cost) => cost.outputTokens),
    audioSeconds: sum((cost) => cost.seconds),
    amountNanoEuro: sum((cost) => cost.amountNanoEuro),
    ...(isCounted && {
      cachedInputTokens: sum((cost) => cost.cachedInputTokens),
      completions: costs.filter(({ kind }) => kind === 'completion').length,
    }),
    ...(isCounted && reasoningTokens > 0 && { reasoningTokens }),
  };
}

/** The writes of the commit's events and its state. */
async function progressWrites(
  deps: RunStoreDeps,
  run: RunRecord,
  { events, state }: Commit,
  how: { at: string; terminal: TerminalEvent | undefined; checkpoint: Checkpoint | undefined },
): Promise<{ writes: NamedWrite[]; made(): void }> {
  const { at, terminal, checkpoint = noCheckpoint() } = how;
  const { agentId, lastEventId } = run;
  // Another run goes on from the state: from the last one that was committed if this run has failed.
  const isKept = state && terminal?.type !== 'error';
  const kept = isKept ? await stateWrite(deps, run, { state, events }, checkpoint) : undefined;
  const append = { events, lastEventId, at, checkpointLine: kept?.line };
  const expiresAtSeconds = expirySeconds(run);
  const appended =
    events.length > 0 ? await appendWrite(deps, { agentId, expiresAtSeconds }, append) : undefined;
  return {
    writes: [appended?.write, kept?.whole].filter((write) => write !== undefined),
    made: () => kept?.made(appended?.bytes ?? 0),
  };
}

/** The authorizations of the run's servers are of no use to anybody once it has ended. */
const authorizationsWrites = (
  deps: RunStoreDeps,
  { agentId, hasAuthorizations }: RunRecord,
  terminal: TerminalEvent | undefined,
): NamedWrite[] =>
  terminal && hasAuthorizations
    ? [{ Delete: { TableName: deps.tables.runs, Key: itemKeys.authorizations(agentId) } }]
    : [];

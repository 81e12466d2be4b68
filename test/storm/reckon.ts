import { limits } from '@errand/platform';
import type { FollowedRun, Usage } from './callers.ts';
import type { Fleet } from './fleet.ts';
import { isSecond, partWork, runUsage, workOf } from './mix.ts';

export interface Reckoning {
  runs: number;
  /** Of them, those that go on from another. */
  followUps: number;
  /** Never accepted, or known to no reader. */
  lost: string[];
  /** Not at their end when the storm was over. */
  stuck: string[];
  failed: string[];
  /** Ended as the service promises, because three workers were killed at work on them, or on a sub-run of theirs. */
  givenUp: string[];
  /** What the `error` events said, and how the processes ended that were at work on those runs. */
  errors: Record<string, string>;
  /** Events with a gap or a repeat, an answer that is not the run's own, or another number of tool calls. */
  wrong: string[];
  /** What those told: the types of their events, with the names of tools. */
  told: Record<string, string>;
  /** Runs that were charged for more or fewer completions than they made. */
  wronglyCharged: string[];
  chats: number;
  /** Chats whose usage arrived and whose charge is missing. */
  chargesMissing: number;
  /** Chats that broke before they told their usage. */
  chatsBroken: number;
  /** Charges for such chats. */
  chargesBesides: number;
  /** Charged runs that no caller knows. */
  doubled: number;
  /** What `admin check` found. */
  problems: unknown[];
}

interface Entry {
  kind: string;
  runId?: string;
  inputTokens: number;
  outputTokens: number;
}

interface Work {
  runs: readonly FollowedRun[];
  usages: readonly NonNullable<Usage>[];
  broken(): number;
}

/** Compares what the callers saw with the ledgers. */
export async function reckon(
  fleet: Fleet,
  accounts: readonly { accountId: string }[],
  { runs, usages, broken }: Work,
): Promise<Reckoning> {
  const entries: Entry[] = [];
  for (const { accountId } of accounts) {
    const credits = await fleet.admin<{ entries: Entry[] }>('credits', 'show', '--account', accountId);
    entries.push(...credits.entries.filter(({ kind }) => kind !== 'credit'));
  }
  const labels = (isOne: (run: FollowedRun) => boolean) => runs.filter(isOne).map(({ label }) => label);
  const givenUp = labels((run) => isGivenUp(run, fleet));
  const whole = (run: FollowedRun) => succeeded(run) && !givenUp.includes(run.label);
  const wrong = runs.filter((run) => whole(run) && !isRight(run));
  const failed = runs.filter((run) => last(run)?.type === 'error');
  const chatEntries = entries.filter(({ runId }) => runId === undefined);
  const missing = countMissing(
    usages.map(({ prompt_tokens, completion_tokens }) => `${prompt_tokens}/${completion_tokens}`),
    chatEntries.map(({ inputTokens, outputTokens }) => `${inputTokens}/${outputTokens}`),
  );
  const known = new Set(runs.flatMap((run) => [run.agentId, ...partsOf(run)]));
  const unknown = new Set(entries.flatMap(({ runId }) => (known.has(runId) ? [] : (runId ?? []))));
  const { problems } = await fleet.admin<{ problems: unknown[] }>('check');
  return {
    runs: runs.length,
    followUps: labels(isSecond).length,
    lost: labels(({ agentId }) => agentId === undefined),
    stuck: labels((run) => run.agentId !== undefined && !ended(run)),
    failed: failed.map(({ label }) => label).filter((label) => !givenUp.includes(label)),
    givenUp,
    errors: Object.fromEntries(
      failed.map((run) => [run.label, [last(run)?.message, ...endsAt(run.agentId, fleet)].join(' ')]),
    ),
    wrong: wrong.map(({ label }) => label),
    told: Object.fromEntries(wrong.map(({ label, events }) => [label, events.map(wordOf).join(' ')])),
    wronglyCharged: labels((run) => whole(run) && !isRightlyCharged(run, entries)),
    chats: usages.length,
    chargesMissing: missing,
    chatsBroken: broken(),
    chargesBesides: chatEntries.length - (usages.length - missing),
    doubled: unknown.size,
    problems,
  };
}

const last = ({ events }: FollowedRun) => events.at(-1);
const ended = (run: FollowedRun) => ['done', 'input_required', 'error'].includes(String(last(run)?.type));
const succeeded = (run: FollowedRun) => ended(run) && last(run)?.type !== 'error';

const poisonedMessage = 'The run was stopped because it could not be carried on after several attempts.';

const endsAt = (id: string | undefined, { endsAtWork }: Fleet): string[] => endsAtWork.get(String(id)) ?? [];

function isGivenUp(run: FollowedRun, fleet: Fleet): boolean {
  const isKilled = (id: string | undefined) =>
    endsAt(id, fleet).filter((end) => end === 'SIGKILL').length >= limits.deathsPerRun;
  const isPoisoned = last(run)?.message === poisonedMessage && isKilled(run.agentId);
  return isPoisoned || partsOf(run, 'failed').some(isKilled);
}

const wordOf = ({ id, type, toolName }: FollowedRun['events'][number]): string =>
  [id, type, toolName].filter((word) => word !== undefined).join(' ');

function isRight({ label, events }: FollowedRun): boolean {
  const made = events.filter(({ type }) => type === 'tool_call').length;
  const { calls, asks, text, parts = 0 } = workOf(label);
  const last = events.at(-1);
  return (
    events.every(({ id }, i) => id === i + 1) &&
    made === calls &&
    partsOf({ events }, 'queued').length === parts &&
    partsOf({ events }, 'succeeded').length === parts &&
    last?.type === (asks ? 'input_required' : 'done') &&
    last.finalText === text
  );
}

/** The sub-runs that the run's events tell of, with such a status if one is given. */
const partsOf = ({ events }: Pick<FollowedRun, 'events'>, status?: string): string[] => [
  ...new Set(
    events
      .filter((event) => event.type === 'sub_run' && (status === undefined || event.status === status))
      .map(({ runId }) => String(runId)),
  ),
];

function isRightlyCharged(run: FollowedRun, entries: readonly Entry[]): boolean {
  const isRightOf = (id: string | undefined, { completions, asks }: ReturnType<typeof workOf>) => {
    const own = entries.filter(({ runId }) => runId === id);
    // Where the provider fails for longer than the final check waits, the run ends without one.
    return (
      (own.length === completions || (!asks && own.length === completions - 1)) &&
      own.every((one) => one.inputTokens === runUsage.input && one.outputTokens === runUsage.output)
    );
  };
  return isRightOf(run.agentId, workOf(run.label)) && partsOf(run).every((id) => isRightOf(id, partWork));
}

/** How many of the wanted are not among the found, each of which counts for one. */
function countMissing(wanted: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1);
  let missing = 0;
  for (const one of wanted) {
    const count = left.get(one) ?? 0;
    if (count === 0) missing++;
    else left.set(one, count - 1);
  }
  return missing;
}

import { type Command, Option } from 'commander';
import type { Errand } from '../../create-errand.ts';
import { askedOf, isCancelled } from '../../runs/describe-run.ts';
import type { ListedState, Run } from '../../runs/run-handle.ts';
import { UsageError } from '../exit-codes.ts';
import type { Session } from '../session/session.ts';
import { requireAnswer, showEnd } from '../shown/end-run.ts';
import { throwMissing } from '../shown/failure-words.ts';
import { followForPeople } from '../shown/follow-run.ts';
import { paint } from '../shown/paint.ts';
import { onOneLine } from '../shown/printable.ts';
import { tableLines } from '../shown/table.ts';
import { age, euros } from '../shown/words.ts';

interface ListOptions {
  limit?: string;
  cursor?: string;
  status?: ListedState;
  search?: string[];
  thread?: string;
  parent?: string;
}

const states: ListedState[] = ['queued', 'running', 'succeeded', 'awaiting_input', 'failed', 'cancelled'];

const columns = [
  { head: 'RUN' },
  { head: 'STATUS' },
  { head: 'AGE', right: true },
  { head: 'COST', right: true },
  { head: 'MODEL' },
  { head: 'QUESTION' },
] as const;

/** What a person reads of a question in a table. */
const listedCharacters = 60;

/** A run's status; of one that its caller, or the operator, has ended: `cancelled`. */
const statusOf = (run: Run): string => (isCancelled(run) ? 'cancelled' : run.status);

const rowOf = (run: Run, now: number): string[] => [
  run.agentId,
  statusOf(run),
  age(run.createdAt, now),
  euros(run.usage.credits),
  run.model ?? '',
  onOneLine(`${run.parentRunId === undefined ? '' : 'sub-run: '}${askedOf(run) ?? ''}`, listedCharacters),
];

function readLimit(given: string | undefined): { limit?: number } {
  if (given === undefined) return {};
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return { limit };
  throw new UsageError('--limit must be a whole number from 1 to 100.');
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { limit, cursor, status, search, thread, parent } = options;
  const query = {
    ...readLimit(limit),
    cursor,
    status,
    search: search?.join(' '),
    thread,
    parentRunId: parent,
  };
  const { api } = await session.connect();
  const { signal } = session.interruption;
  const { data } = await api
    .GET('/v1/agents/runs', { params: { query }, signal })
    .catch(throwMissing(`run ${thread ?? parent}`));
  session.show(data, () =>
    data.runs.length === 0
      ? [data.cursor === undefined ? 'No runs.' : 'No such runs among the newest.']
      : tableLines(
          columns,
          data.runs.map((run) => rowOf(run, Date.now())),
        ),
  );
}

/** Tells what was asked. Whatever keeps the run from being read is told by its stream. */
async function tellQuestion({ api }: Errand, agentId: string, { terminal }: Session): Promise<void> {
  const run = api.GET('/v1/agents/runs/{agentId}', { params: { path: { agentId } } });
  const asked = await run.then(
    ({ data }) => askedOf(data) ?? '',
    () => '',
  );
  if (asked) terminal.note(paint.bold('Question'), ` ${onOneLine(asked, terminal.width - 10)}\n`);
}

async function watch(session: Session, agentId: string): Promise<void> {
  const errand = await session.connect();
  const run = errand.runs.open(agentId);
  const { signal } = session.interruption;
  if (!session.json) await tellQuestion(errand, agentId, session);
  await followForPeople(session, run, signal).catch(throwMissing(`run ${agentId}`));
  requireAnswer(session, await showEnd(session, run, signal));
}

async function cancel(session: Session, agentId: string): Promise<void> {
  const handle = (await session.connect()).runs.open(agentId);
  const run = await handle.cancel().catch(throwMissing(`run ${agentId}`));
  session.show(run, () => [
    run.status === 'queued' || run.status === 'running'
      ? `${run.agentId} is being cancelled.`
      : `${run.agentId} is over: ${statusOf(run)}.`,
  ]);
}

export function defineRuns(program: Command, session: Session): void {
  const runs = program.command('runs').description('list, watch and cancel runs');
  runs
    .command('list', { isDefault: true })
    .description('the runs of this key, newest first')
    .option('--limit <number>', 'how many, 1 to 100')
    .option('--cursor <cursor>', 'the `cursor` of the page before, for the next one')
    .addOption(new Option('--status <status>', 'only runs that are so').choices(states))
    .option('--search <words...>', 'only runs whose question has all of these words')
    .option('--thread <run>', 'only runs of one chain, by any run in it')
    .option('--parent <run>', 'only the sub-runs of a run')
    .addHelpText('after', '\nWith --json: one document, {runs, cursor?}.')
    .action((options: ListOptions) => list(session, options));
  runs
    .command('watch')
    .description('follow a run from its beginning to its answer')
    .argument('<run>', 'the id of the run')
    .addHelpText('after', '\nWith --json: JSON lines, each event, last {run}.')
    .action((agentId: string) => watch(session, agentId));
  runs
    .command('cancel')
    .description('end a run')
    .argument('<run>', 'the id of the run')
    .addHelpText('after', '\nWith --json: one document, the run.')
    .action((agentId: string) => cancel(session, agentId));
}

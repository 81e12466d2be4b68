import { type Command, Option } from 'commander';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import { readBody } from '../session/read-files.ts';
import type { Session } from '../session/session.ts';
import { throwMissing } from '../shown/failure-words.ts';
import { fieldLines } from '../shown/fields.ts';
import { onOneLine } from '../shown/printable.ts';
import { tableLines } from '../shown/table.ts';
import { utcTime } from '../shown/words.ts';
import { addRunOptions, type RunOptions, readRunFields, throwWithRunOptions } from './run-options.ts';

type Schemas = components['schemas'];
type NewSchedule = Schemas['NewSchedule'];
type Listed = Schemas['ListedSchedule'];
type Outcome = Schemas['ScheduleOutcome'];

const path = (id: string) => ({ params: { path: { id } } });

const nextOf = ({ paused, stopped, nextAt }: Listed | Schemas['Schedule']): string => {
  if (paused) return 'paused';
  if (stopped) return `stopped: ${stopped.reason}`;
  return nextAt === undefined ? '-' : utcTime(nextAt);
};

const whenOf = ({ cron, every, timeZone }: Listed): string =>
  cron === undefined ? `every ${every}` : `${cron} ${timeZone}`;

const scheduleColumns = [
  { head: 'SCHEDULE' },
  { head: 'NEXT' },
  { head: 'WHEN' },
  { head: 'NAME OR QUESTION' },
] as const;

async function list(session: Session): Promise<void> {
  const { data } = await (await session.connect()).api.GET('/v1/schedules');
  session.show(data, () =>
    data.schedules.length === 0
      ? ['No schedules.']
      : tableLines(
          scheduleColumns,
          data.schedules.map((schedule) => [
            schedule.id,
            nextOf(schedule),
            whenOf(schedule),
            onOneLine(schedule.name ?? schedule.question ?? '', 60),
          ]),
        ),
  );
}

const outcomeColumns = [{ head: 'INSTANT' }, { head: 'OUTCOME' }, { head: 'RUN' }, { head: '' }] as const;

const outcomeRow = ({ at, status, agentId, manual, missed, probability, reason }: Outcome): string[] => {
  const notes = [
    manual && 'asked for',
    missed && `${missed} missed before it`,
    probability !== undefined && `notifyIf: ${probability.toFixed(2)}`,
    reason,
  ];
  return [utcTime(at), status, agentId ?? '-', notes.filter(Boolean).join('; ')];
};

async function show(session: Session, id: string): Promise<void> {
  const { data } = await (await session.connect()).api.GET('/v1/schedules/{id}', path(id));
  const { outcomes, nextAt: _, ...fields } = data;
  session.show(data, () => [
    `next: ${nextOf(data)}`,
    ...fieldLines(fields),
    '',
    ...(outcomes.length === 0
      ? ['Nothing was due yet.']
      : tableLines(outcomeColumns, outcomes.map(outcomeRow))),
  ]);
}

interface Options extends RunOptions {
  file?: string;
  agent?: string;
  cron?: string;
  every?: string;
  timeZone?: string;
  overlap?: NonNullable<NewSchedule['overlap']>;
  until?: string;
  name?: string;
  notifyIf?: string;
  threshold?: number;
}

/** What the options and the file say of a schedule. The options count before the file. */
async function readSchedule(session: Session, words: readonly string[], options: Options) {
  const { file, agent, cron, every, timeZone, overlap, until, name, notifyIf, threshold } = options;
  const fromFile = file === undefined ? {} : await readBody<NewSchedule>(session, file);
  const question = notifyIf ?? fromFile.notifyIf?.question;
  if (threshold !== undefined && question === undefined)
    throw new UsageError('--threshold needs --notify-if: it is the least probability of yes.');
  const given = Object.entries({
    ...(await readRunFields(session, options)),
    ...{ agent, cron, every, timeZone, overlap, until, name },
    question: words.length === 0 ? undefined : words.join(' '),
    notifyIf:
      question === undefined ? undefined : { question, threshold: threshold ?? fromFile.notifyIf?.threshold },
  }).filter(([, value]) => value !== undefined);
  // One of the two takes the place of the other.
  const timing = (cron ?? every) === undefined ? {} : { cron: undefined, every: undefined };
  return { ...fromFile, ...timing, ...Object.fromEntries(given) } as NewSchedule;
}

async function create(session: Session, words: readonly string[], options: Options): Promise<void> {
  const body = await readSchedule(session, words, options);
  const { data } = await (await session.connect()).api
    .POST('/v1/schedules', { body })
    .catch(throwWithRunOptions(fieldOptions, options.file !== undefined));
  session.show(data, () => [data.id, `Its first run: ${nextOf(data)}`]);
}

const fieldOptions = {
  agent: '--agent',
  cron: '--cron',
  every: '--every',
  timeZone: '--time-zone',
  until: '--until',
  name: '--name',
  notifyIf: '--notify-if',
};

async function pause(session: Session, id: string, paused: boolean): Promise<void> {
  const body = { paused };
  const { data } = await (await session.connect()).api.PATCH('/v1/schedules/{id}', { ...path(id), body });
  session.show(data, () => [paused ? `${id} is paused.` : `${id} goes on. Its next run: ${nextOf(data)}`]);
}

async function runNow(session: Session, id: string): Promise<void> {
  const { data } = await (await session.connect()).api.POST('/v1/schedules/{id}/run', path(id));
  session.show(data, () => [`${data.agentId} has begun: errand runs watch ${data.agentId}`]);
}

async function remove(session: Session, id: string): Promise<void> {
  await (await session.connect()).api.DELETE('/v1/schedules/{id}', path(id));
  session.show({ id }, () => [`${id} is deleted.`]);
}

export function defineSchedules(program: Command, session: Session): void {
  const schedules = program
    .command('schedule')
    .alias('schedules')
    .description('have runs started again and again');
  const define = (name: string, description: string, json: string): Command =>
    schedules
      .command(name)
      .description(description)
      .addHelpText('after', `\nWith --json: one document, ${json}.`);
  define('list', 'the schedules of this key, the oldest first', '{schedules}').action(() => list(session));
  addRunOptions(
    define('create', 'have a run started at each instant', 'the schedule')
      .argument('[question...]', 'what each run must do; without one, what the instructions of its agent say')
      .option('--cron <fields>', 'when: minute, hour, day of month, month and day of week')
      .option('--every <time>', 'in place of --cron: 15m, 6h, 1d')
      .option('--time-zone <name>', 'the time zone of --cron, such as Europe/Amsterdam; UTC if absent')
      .addOption(
        new Option('--overlap <rule>', 'if the run before has not ended: no run, or one after it').choices([
          'skip',
          'queue',
        ]),
      )
      .option('--until <time>', 'the end, such as 2027-01-31T12:00:00Z')
      .option('--name <name>', 'what people call it')
      .option('--notify-if <question>', 'webhooks hear of a result only if a decision model says yes to this')
      .option('--threshold <share>', 'the least probability of that yes; 0.5 if absent', Number)
      .option('--file <file>', 'the schedule as JSON, as the service takes it; - for stdin')
      .option('--agent <name>', 'the stored agent that the runs are by: NAME, or NAME@VERSION'),
  ).action((words: string[], options: Options) => create(session, words, options));
  const forOne = (name: string, description: string, json: string, act: (id: string) => Promise<void>) =>
    define(name, description, json)
      .argument('<schedule>', 'the id of the schedule')
      .action((id: string) => act(id).catch(throwMissing(`schedule ${id}`)));
  forOne('show', 'a schedule with what became of its last instants', 'the schedule', (id) =>
    show(session, id),
  );
  forOne('pause', 'have no more runs started', 'the schedule', (id) => pause(session, id, true));
  forOne('resume', 'have runs started again', 'the schedule', (id) => pause(session, id, false));
  forOne('run', 'start a run now', '{agentId, status}', (id) => runNow(session, id));
  forOne('delete', 'delete a schedule; its runs go on', '{id}', (id) => remove(session, id));
}

import { listKeys } from '@errand/accounts';
import {
  listSchedules,
  pauseAnySchedule,
  removeSchedule,
  type Schedule,
  viewListed,
} from '@errand/schedules';
import { defineCommand } from '../command.ts';
import { noAccount, orRefuse } from '../refusal.ts';

const list = defineCommand({
  name: 'schedule list',
  options: ['--account <A>'],
  async run(store, { account }) {
    await orRefuse(listKeys(store, account), noAccount(account));
    const schedules = (await listSchedules(store, { accountId: account })).map(describe);
    return { json: { schedules }, lines: schedules.map(toLine) };
  },
});

const pause = defineCommand({
  name: 'schedule pause',
  argument: 'ID',
  async run(store, _values, id) {
    const schedule = describe(await orRefuse(pauseAnySchedule(store, id), noSchedule(id)));
    return { json: schedule, lines: [toLine(schedule)] };
  },
});

const remove = defineCommand({
  name: 'schedule delete',
  argument: 'ID',
  async run(store, _values, id) {
    await orRefuse(removeSchedule(store, 'operator', id), noSchedule(id));
    return { json: { id }, lines: [`Schedule ${id} is deleted`] };
  },
});

const noSchedule = (id: string) => `There is no schedule ${id}.`;

/** What its caller asks stays unread, as in a list of runs. */
function describe(schedule: Schedule) {
  const { id, cron, every, timeZone, name, agent, nextAt, paused, stopped } = viewListed(schedule);
  const { keyId, open, attempts } = schedule;
  const when = every === undefined ? { cron, timeZone } : { every };
  return { id, keyId, name, agent, ...when, nextAt, paused, stopped, openRuns: open.length, attempts };
}

function toLine({ id, keyId, openRuns, attempts, ...schedule }: ReturnType<typeof describe>): string {
  const { name, agent, cron, every, timeZone, nextAt, paused, stopped } = schedule;
  return [
    id,
    cron === undefined ? `every ${every}` : `${cron} ${timeZone}`,
    stopped ? `stopped ${stopped.at} (${stopped.reason})` : paused ? 'paused' : `next ${nextAt}`,
    ...(openRuns === 0 ? [] : [`${openRuns} runs have not ended`]),
    ...(attempts === 0 ? [] : [`attempt ${attempts}`]),
    keyId,
    ...(agent === undefined ? [] : [`agent ${agent}`]),
    ...(name === undefined ? [] : [name]),
  ].join('  ');
}

export const scheduleCommands = [list, pause, remove];

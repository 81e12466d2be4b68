import { startCloud } from '../../support/lambda/cloud.ts';
import { dueSchedule, makeDue, tickOnce } from '../../support/lambda/due-schedule.ts';
import type { Units } from '../../support/lambda/units.ts';
import { table } from '../figures.ts';
import { questions } from '../stage/models.ts';
import { createRun, get } from '../stage/use-functions.ts';
import { hoursOfMonth, prices } from './prices.ts';
import { costsOf } from './tables.ts';
import { used } from './usage.ts';

const ticksOfMonth = hoursOfMonth * 60;
const runsOfMonth = 30;
/** How long the function is busy with nothing, and with one schedule: assumed, as the times of all functions are. */
const tickSeconds = 0.05;
const scheduleSeconds = 0.02;
/** A run is looked at this often before it is seen to have ended. */
const looks = 2;

/** What schedules cost beside their runs: with a call a minute that asks what is due, and with EventBridge Scheduler calling for each. */
export async function schedulesTable(catalogue: object): Promise<string> {
  const cloud = await startCloud(catalogue);
  const [agents, schedules] = [await cloud.start('agents'), await cloud.start('schedules')];
  const id = await dueSchedule(cloud, agents, { question: questions.simple, every: '1d' });
  // What a function reads once is not counted.
  await tickOnce(schedules);
  const idle = await used([schedules], () => tickOnce(schedules));
  await makeDue(cloud, id, { instant: false });
  const look = await used([schedules], () => tickOnce(schedules));
  await endRun(id);
  await makeDue(cloud, id, { instant: false });
  const end = await used([schedules], () => tickOnce(schedules));
  await makeDue(cloud, id);
  const start = await used([schedules], () => tickOnce(schedules));
  const created = await used([agents], () => createRun(agents, questions.simple));
  await cloud.stop();
  const one = (units: Units) => storesOf(units) - storesOf(idle);
  const ofRun = one(start) - storesOf(created) + looks * one(look) + one(end);
  const busy = (seconds: number) =>
    costsOf({
      units: none(idle),
      invocations: [{ name: 'schedules', seconds }],
      edgeRequests: 0,
      bytesOut: 0,
    }).lambda;
  const call = prices.lambdaRequestsPerMillion / 1e6;
  const ticks = ticksOfMonth * (storesOf(idle) + busy(tickSeconds));
  const row = (count: number) => {
    const runs = count * runsOfMonth;
    const work = runs * (ofRun + (2 + looks) * (busy(scheduleSeconds) - call));
    // Without ticks, each run is seen to end by a call of its own, for which one more schedule is made.
    const byScheduler = runs * (ofRun + (2 + looks) * busy(tickSeconds + scheduleSeconds));
    const calls = (runs * (2 + looks) * prices.schedulerPerMillion) / 1e6;
    return [count.toLocaleString('en'), ...[ticks, work, ticks + work, byScheduler + calls].map(dollars)];
  };
  return table(
    [
      'schedules, each once a day',
      'the ticks',
      'starts and ends',
      'together, a month',
      'with EventBridge Scheduler',
    ],
    [row(10), row(1_000), row(100_000)],
  );

  async function endRun(scheduleId: string): Promise<void> {
    const shown = JSON.parse((await get(agents, `/v1/schedules/${scheduleId}`)).toString());
    const { agentId } = (shown as { outcomes: [{ agentId: string }] }).outcomes[0];
    await get(agents, `/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  }
}

const storesOf = (units: Units): number =>
  costsOf({ units, invocations: [], edgeRequests: 0, bytesOut: 0 }).stores;

const none = (units: Units): Units =>
  Object.fromEntries(Object.keys(units).map((name) => [name, 0])) as unknown as Units;

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

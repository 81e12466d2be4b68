import { type PayingEnv, requireKey, requirePayingKey } from '@errand/accounts';
import { describeRoutes, type ErrorTable, errorHandler, type HttpEnv, limits } from '@errand/platform';
import { runErrors } from '@errand/runs';
import { type Context, Hono } from 'hono';
import type { ScheduleRoutesDeps } from './deps.ts';
import {
  createSchedule,
  getWhole,
  listSchedules,
  mustTakeRuns,
  removeSchedule,
  updateSchedule,
} from './manage.ts';
import { readNewSchedule, readSchedulePatch } from './read-request.ts';
import { runNow } from './run-now.ts';
import type { Schedule, ScheduledBody } from './schedule.ts';
import { queryOutcomes } from './store.ts';
import { viewListed, writeSchedule } from './view.ts';

const describe = describeRoutes(() => import('./route-descriptions.ts'));

const scheduleErrors: ErrorTable = {
  ...runErrors,
  run_not_finished: () => ({
    status: 409,
    body: `${limits.scheduleOpenRuns} runs of this schedule have not ended. Wait until one has.`,
  }),
};

/** The routes under `/v1/schedules`: a key sees and changes its own schedules alone. */
export function scheduleRoutes(deps: ScheduleRoutesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const key = requireKey(deps.accounts, 'runs');
  app.onError(errorHandler(deps.log, scheduleErrors));
  const send = async (
    c: Pick<Context, 'body'>,
    { schedule, body }: { schedule: Schedule; body: ScheduledBody },
    status: 200 | 201 = 200,
  ) => {
    const outcomes = status === 201 ? [] : await queryOutcomes(deps, schedule.id);
    return c.body(writeSchedule(schedule, body, outcomes), status, { 'Content-Type': 'application/json' });
  };

  app.post('/v1/schedules', describe('createSchedule'), key, async (c) => {
    mustTakeRuns(deps);
    const origin = deps.publicUrl ?? new URL(c.req.url).origin;
    const made = await createSchedule(deps, c.var.principal, await readNewSchedule(c), origin);
    c.header('Location', `/v1/schedules/${made.schedule.id}`);
    return send(c, made, 201);
  });
  app.get('/v1/schedules', describe('listSchedules'), key, async (c) =>
    c.json({ schedules: (await listSchedules(deps, c.var.principal)).map(viewListed) }),
  );
  app.get('/v1/schedules/:id', describe('getSchedule'), key, async (c) =>
    send(c, await getWhole(deps, c.var.principal, c.req.param('id'))),
  );
  app.patch('/v1/schedules/:id', describe('updateSchedule'), key, async (c) => {
    const patch = await readSchedulePatch(c);
    return send(c, await updateSchedule(deps, c.var.principal, c.req.param('id'), patch));
  });
  app.delete('/v1/schedules/:id', describe('deleteSchedule'), key, async (c) => {
    await removeSchedule(deps, c.var.principal, c.req.param('id'));
    return c.body(null, 204);
  });
  app.post(
    '/v1/schedules/:id/run',
    describe('runSchedule'),
    requirePayingKey(deps.accounts, 'runs'),
    async (c: Context<PayingEnv>) => {
      const agentId = await runNow(deps, c, c.req.param('id')!);
      return c.json({ agentId, status: 'queued' }, 202);
    },
  );
  return app;
}

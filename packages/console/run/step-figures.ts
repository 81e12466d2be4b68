import type { Errand, Run } from '@errand/client';

export interface StepFigures {
  milliseconds?: number;
  /** Absent where the account has had too many other charges meanwhile to find those of the run among them. */
  euros?: number;
}

/** A run's entries are looked for on so many pages of the ledger. */
const ledgerPages = 10;

/** How long each step took, by the times of its events, and what it cost, by the account's ledger. */
export async function readStepFigures(
  { api }: Pick<Errand, 'api'>,
  run: Run,
): Promise<ReadonlyMap<number, StepFigures>> {
  const [times, costs] = await Promise.all([readTimes(api, run), readCosts(api, run)]);
  return new Map(
    [...times].map(([step, milliseconds]) => [
      step,
      { milliseconds, euros: costs && (costs.get(step) ?? 0) },
    ]),
  );
}

async function readTimes(api: Errand['api'], { agentId, updatedAt }: Run): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  let open: { step: number; since: number } | undefined;
  const close = (at: string) => {
    if (open) times.set(open.step, Math.max(0, Date.parse(at) - open.since));
    open = undefined;
  };
  for (let after = 0, more = true; more; ) {
    const { data } = await api.GET('/v1/agents/runs/{agentId}/events', {
      params: { path: { agentId }, query: { after } },
    });
    for (const { at, event } of data.events) {
      if (event.type === 'step_start' || event.type === 'step_complete') close(at);
      if (event.type === 'step_start') open = { step: event.step, since: Date.parse(at) };
    }
    after = data.events.at(-1)?.id ?? after;
    more = data.more && data.events.length > 0;
  }
  close(updatedAt);
  return times;
}

/** The ledger takes days and times; work that ends with the run is in it, too. */
const marginMilliseconds = 60_000;

async function readCosts(api: Errand['api'], run: Run): Promise<Map<number, number> | undefined> {
  const costs = new Map<number, number>();
  const span = {
    from: run.createdAt,
    to: new Date(Date.parse(run.updatedAt) + marginMilliseconds).toISOString(),
  };
  let cursor: string | undefined;
  for (let page = 0; page < ledgerPages; page++) {
    const { data } = await api.GET('/v1/credits/entries', { params: { query: { ...span, cursor } } });
    for (const { runId, step, amount } of data.entries)
      if (runId === run.agentId && step !== undefined)
        costs.set(step, (costs.get(step) ?? 0) - Number(amount));
    cursor = data.cursor;
    if (cursor === undefined) return costs;
  }
  return undefined;
}

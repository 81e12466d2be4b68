import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { Check } from '../check.ts';
import { areas, requestIdFor } from '../checks/prefixes.ts';
import { must } from '../outcome.ts';
import { type StageDeps, untilComplete } from './aws.ts';
import { listStageFunctions } from './functions.ts';

/** What must be in the logs of functions that other functions call. Their lines lack our requests' ids. */
const called = [
  ['worker', ''],
  // The check of a link to upload has a file converted.
  ['converter', '"document read"'],
] as const;

const groupOf = (stage: string, name: string): string => `/errand/${stage}/${name}`;

export const logsCheck = (deps: StageDeps): Check => ({
  name: 'log groups',
  async run({ id, startedAt }) {
    const groups = (await listStageFunctions(deps)).map(({ LoggingConfig }) => LoggingConfig?.LogGroup ?? '');
    const others = groups.filter((group) => !group.startsWith(groupOf(deps.stage, '')));
    must(others.length === 0, `functions log to ${others.join(' ')}`);
    const patterns = new Map([
      ...areas.map((area) => [area, `"${requestIdFor(id, area)}"`] as const),
      ...called,
    ]);
    const missing = await untilComplete(deps, async () => {
      const empty: string[] = [];
      for (const [name, pattern] of patterns)
        if (!(await hasLine(deps, groupOf(deps.stage, name), pattern, startedAt))) empty.push(name);
      return empty;
    });
    must(missing.length === 0, `no line of our requests in the log of ${missing.join(', ')}`);
    return `${groups.length} groups; ${[...patterns.keys()].join(', ')} have logged what was meant for them`;
  },
});

export const accessCheck = (deps: StageDeps): Check => ({
  name: 'no AccessDenied',
  async run({ startedAt }) {
    const groups = (await listStageFunctions(deps)).map(({ LoggingConfig }) => LoggingConfig?.LogGroup ?? '');
    const denied: string[] = [];
    for (const group of groups) if (await hasLine(deps, group, 'AccessDenied', startedAt)) denied.push(group);
    must(denied.length === 0, `AccessDenied is in ${denied.join(' ')}`);
    return `in ${groups.length} groups since the first request`;
  },
});

/** The greatest difference between the clocks of this machine and of AWS. */
const skewMilliseconds = 60_000;

async function hasLine(
  { logs }: StageDeps,
  logGroupName: string,
  filterPattern: string,
  startedAt: number,
): Promise<boolean> {
  const input = { logGroupName, startTime: startedAt - skewMilliseconds };
  const pages = paginateFilterLogEvents(
    { client: logs },
    { ...input, ...(filterPattern !== '' && { filterPattern }) },
  );
  for await (const { events = [] } of pages) if (events.length > 0) return true;
  return false;
}

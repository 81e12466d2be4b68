import { reportUsage } from '@errand/money';
import { createAwsClients, localCredentials, localRegion, localTableNames } from '@errand/platform';
import { countRequests } from '../../support/count-requests.ts';

/** What a process of its own prints of one report. */
export interface Measured {
  milliseconds: number;
  requests: number;
  rows: number;
  cpuMilliseconds: number;
  peakMegabytes: number;
}

const [endpoint = '', accountId = '', from, to, now, groupBy = 'day'] = process.argv.slice(2);

const { dynamodb } = createAwsClients({
  region: localRegion,
  endpoints: { dynamodb: endpoint },
  credentials: localCredentials,
});
const requests = countRequests(endpoint);
const deps = { dynamodb, tables: localTableNames, clock: () => Number(now) };
const query = { from: Number(from), to: Number(to), groupBy: groupBy.split(',') as ['day'] };
const cpu = process.cpuUsage();
const start = performance.now();
const { rows } = await reportUsage(deps, { accountId }, query);
const milliseconds = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
const measured: Measured = {
  milliseconds,
  requests: requests(),
  rows: rows.length,
  cpuMilliseconds: (user + system) / 1000,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(measured));
process.exit();

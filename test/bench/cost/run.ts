import { parseArgs } from 'node:util';
import { type Cloud, startCloud } from '../../support/lambda/cloud.ts';
import { purseTable } from '../money/purse-sizes.ts';
import { publish } from '../page.ts';
import { startConverting } from '../stage/converting.ts';
import { catalogueOf, startModels } from '../stage/models.ts';
import { startSending } from '../stage/reach-out.ts';
import { chatBody, post, read } from '../stage/use-functions.ts';
import { beforeAndAfter } from './before-and-after.ts';
import { chainTable } from './chain.ts';
import { chatTable, containerAssumptions, leastTable, workersTable } from './in-containers-tables.ts';
import { invocationTables } from './invocations/tables.ts';
import { keptRunsTable } from './kept-runs.ts';
import { keysTable, serialTable } from './keys.ts';
import { largeUploadsTable } from './large-uploads.ts';
import { probeTable, unknownKeysTable } from './outside.ts';
import { schedulesTable } from './schedules.ts';
import { subRunsTable } from './sub-runs.ts';
import { assumptions, costsOf, type Line, ratesOf, usageTable } from './tables.ts';
import {
  besideOthers,
  measureAsk,
  measureChat,
  measureConversion,
  measureDecision,
  measureHealth,
  measureResponse,
  measureRun,
  measureUnknownKey,
  measureWatching,
  measureWebhook,
  runsBeside,
  type Usage,
} from './usage.ts';
import { writeUnitsTable } from './write-units.ts';

const thousand = 1_000;

/**
 * Prints what 1,000 runs, chats and decisions and an hour of watching cost, what bounds an account, and from how many users on
 * containers cost less. Units are counted; prices are AWS's. With `--write`, docs/cost.md gets the tables; `--only invocations`
 * makes those of runs in one invocation alone, which need no AWS, `--only units` that of a run's write units,
 * `--only schedules` that of schedules, and `--only sub-runs` that of a run with sub-runs.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({
    args: options,
    options: { write: { type: 'boolean' }, only: { type: 'string' } },
  });
  const page = values.write ? 'docs/cost.md' : undefined;
  const { only } = values;
  const isAsked = (name: string) => only === undefined || only === name;
  if (isAsked('invocations')) await publish(page, 'runs in one invocation', invocationTables());
  const upstream = await startModels(0);
  if (isAsked('sub-runs')) await publish(page, 'sub-runs', await subRunsTable(upstream));
  if (isAsked('units')) await publish(page, 'write units', await writeUnitsTable(catalogueOf(upstream)));
  if (isAsked('schedules')) await publish(page, 'schedules', await schedulesTable(catalogueOf(upstream)));
  if (only !== undefined) return upstream.close();
  const cloud = await startCloud(catalogueOf(upstream));
  const { keys, unknownKey, health, ...lines } = await measureAll(cloud);
  await cloud.stop();
  const kept = await keptRunsTable(catalogueOf(upstream));
  const chain = await chainTable(upstream);
  const subRuns = await subRunsTable(upstream);
  await upstream.close();

  const { runs, chats, watching } = lines;
  const rates = ratesOf([
    { what: 'runs', usage: runs.usage },
    { what: 'chats', usage: chats.usage },
  ]);
  const usage = usageTable(Object.values(lines));
  await publish(page, 'usage', [assumptions(), usage, rates].join('\n\n'));
  await publish(page, 'before and after', beforeAndAfter({ runs, watching }));
  await publish(page, 'kept runs', kept);
  await publish(page, 'a chain', chain);
  await publish(page, 'sub-runs', subRuns);
  await publish(page, 'unknown keys', unknownKeysTable(unknownKey));
  await publish(page, 'the probe', probeTable(health));
  await publish(page, 'keys', keys);
  await publish(page, 'one purse', serialTable());
  await publish(page, 'purses', purseTable());
  await publish(page, 'the container', await largeUploadsTable());
  await publish(page, 'containers', [containerAssumptions(), leastTable()].join('\n\n'));
  const { lambda } = costsOf(chats.usage);
  await publish(page, 'chat in containers', chatTable({ lambda, bytesOfOne: chats.usage.bytesOut }));
  await publish(page, 'workers in containers', workersTable());
}

/** Each function is started when it is needed: the runtime client ends its process after a minute without work. */
async function measureAll(cloud: Cloud) {
  const agents = await cloud.start('agents');
  const chat = await cloud.start('chat');
  const chats = line('1,000 streamed chats', await measureChat(chat), thousand);
  const keys = await keysTable(cloud, chat, () => read(post(chat, '/v1/chat/completions', chatBody)));
  const unknownKey = await measureUnknownKey(chat);
  const health = await measureHealth(await cloud.start('site'));
  const ofResponse = await measureResponse(await cloud.start('responses'));
  const responses = line('1,000 streamed responses that are kept', ofResponse, thousand);
  const ofDecision = await measureDecision(await cloud.start('systemone'));
  const decisions = line('1,000 decisions', ofDecision, thousand);
  const worker = await cloud.start('worker');
  const ofRun = await measureRun(cloud, agents, worker);
  const runs = line(
    '1,000 runs (one tool call each, not watched), each alone in its worker',
    ofRun,
    thousand,
  );
  const beside = line(`the same, ${runsBeside.load} beside each other`, besideOthers(ofRun), thousand);
  const sending = await startSending(cloud);
  const ofWebhook = await measureWebhook(cloud, { agents, worker, sending });
  await sending.close();
  const webhooks = line('1,000 ends of runs told to a webhook', ofWebhook, thousand);
  const ofAsk = await measureAsk(cloud, await cloud.start('mcp'));
  const asked = line('1,000 questions at `/mcp` (without their runs)', ofAsk, thousand);
  const ofHour = await measureWatching(cloud, agents, await cloud.start('run-streams'));
  const watching = line('1 hour of watching a quiet run', ofHour, 1);
  const converting = await startConverting(cloud);
  const ofConversion = await measureConversion(converting, await cloud.start('converter'));
  await converting.close();
  const conversions = line('1,000 conversions of a PDF of 68 KB', ofConversion, thousand);
  return {
    runs,
    beside,
    chats,
    responses,
    decisions,
    watching,
    conversions,
    webhooks,
    asked,
    keys,
    unknownKey,
    health,
  };
}

const line = (what: string, usage: Usage, times: number): Line => ({ what, usage, times });

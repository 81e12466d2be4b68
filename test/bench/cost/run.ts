import { parseArgs } from 'node:util';
import { startCloud } from '../../support/lambda/cloud.ts';
import { publish } from '../page.ts';
import { startConverting } from '../stage/converting.ts';
import { catalogueOf, startModels } from '../stage/models.ts';
import { chatBody, post, read } from '../stage/use-functions.ts';
import { beforeAndAfter } from './before-and-after.ts';
import { comparisonTable } from './container.ts';
import { keysTable, serialTable } from './keys.ts';
import { largeUploadsTable } from './large-uploads.ts';
import { assumptions, costsOf, type Line, ratesOf, usageTable } from './tables.ts';
import { measureChat, measureConversion, measureDecision, measureRun, measureWatching } from './usage.ts';

const thousand = 1_000;

/**
 * Prints what 1,000 runs, chats and decisions and an hour of watching cost, what bounds an account, and from how many streams
 * containers would be cheaper. Units are counted; prices are AWS's. With `--write`, docs/cost.md gets the tables.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({ args: options, options: { write: { type: 'boolean' } } });
  const page = values.write ? 'docs/cost.md' : undefined;
  const upstream = await startModels(0);
  const cloud = await startCloud(catalogueOf(upstream));
  // Each function is started when it is needed: the runtime client ends its process after a minute without work.
  const agents = await cloud.start('agents');
  const chat = await cloud.start('chat');
  const chats: Line = { what: '1,000 streamed chats', usage: await measureChat(chat), times: thousand };
  const keys = await keysTable(cloud, chat, () => read(post(chat, '/v1/chat/completions', chatBody)));
  const decisions: Line = {
    what: '1,000 decisions',
    usage: await measureDecision(await cloud.start('systemone')),
    times: thousand,
  };
  const runs: Line = {
    what: '1,000 runs (one tool call each, not watched)',
    usage: await measureRun(cloud, agents, await cloud.start('worker')),
    times: thousand,
  };
  const watching: Line = {
    what: '1 hour of watching a quiet run',
    usage: await measureWatching(cloud, agents, await cloud.start('run-streams')),
    times: 1,
  };
  const converting = await startConverting(cloud);
  const conversions: Line = {
    what: '1,000 conversions of a PDF of 68 KB',
    usage: await measureConversion(converting, await cloud.start('converter')),
    times: thousand,
  };
  await converting.close();
  const lines = [runs, chats, decisions, watching, conversions];
  await cloud.stop();
  await upstream.close();

  const rates = ratesOf([
    { what: 'runs', usage: runs.usage },
    { what: 'chats', usage: chats.usage },
  ]);
  await publish(page, 'usage', [assumptions(), usageTable(lines), rates].join('\n\n'));
  await publish(page, 'before and after', beforeAndAfter({ runs, watching }));
  await publish(page, 'keys', keys);
  await publish(page, 'one purse', serialTable());
  await publish(page, 'the container', await largeUploadsTable());
  const comparison = comparisonTable({
    lambda: costsOf(chats.usage).lambda,
    bytesOfStream: chats.usage.bytesOut,
  });
  await publish(page, 'containers', comparison);
}

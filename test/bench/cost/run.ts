import { parseArgs } from 'node:util';
import { startCloud } from '../../support/lambda/cloud.ts';
import { publish } from '../page.ts';
import { catalogueOf, startModels } from '../stage/models.ts';
import { chatBody, post, read } from '../stage/use-functions.ts';
import { comparisonTable } from './container.ts';
import { keysTable, serialTable } from './keys.ts';
import { largeUploadsTable } from './large-uploads.ts';
import { assumptions, costsOf, type Line, ratesOf, usageTable } from './tables.ts';
import { measureChat, measureDecision, measureRun, measureWatching, nameOfStreams } from './usage.ts';

const thousand = 1_000;

/**
 * Prints what 1,000 runs, chats and decisions and an hour of watching cost, what bounds an account, and from when on containers
 * would be cheaper. Units are counted; prices are AWS's. With `--write`, docs/cost.md gets the tables.
 */
export default async function run(options: string[]): Promise<void> {
  const { values } = parseArgs({ args: options, options: { write: { type: 'boolean' } } });
  const page = values.write ? 'docs/cost.md' : undefined;
  const upstream = await startModels(0);
  const cloud = await startCloud(catalogueOf(upstream));
  const agents = await cloud.start('agents');
  const worker = await cloud.start('worker');
  const chat = await cloud.start('chat');
  const systemone = await cloud.start('systemone');
  const watcher = nameOfStreams === 'agents' ? agents : await cloud.start(nameOfStreams);
  const chats: Line = { what: '1,000 streamed chats', usage: await measureChat(chat), times: thousand };
  const runs: Line = {
    what: '1,000 runs (one tool call each, not watched)',
    usage: await measureRun(cloud, agents, worker),
    times: thousand,
  };
  const lines = [
    runs,
    chats,
    { what: '1,000 decisions', usage: await measureDecision(systemone), times: thousand },
    {
      what: '1 hour of watching a quiet run',
      usage: await measureWatching(cloud, agents, watcher),
      times: 1,
    },
  ];
  const keys = await keysTable(cloud, chat, () => read(post(chat, '/v1/chat/completions', chatBody)));
  await cloud.stop();
  await upstream.close();

  const rates = ratesOf([
    { what: 'runs', usage: runs.usage },
    { what: 'chats', usage: chats.usage },
  ]);
  await publish(page, 'usage', [assumptions(), usageTable(lines), rates].join('\n\n'));
  await publish(page, 'keys', keys);
  await publish(page, 'one purse', serialTable());
  await publish(page, 'the container', await largeUploadsTable());
  const comparison = comparisonTable({
    lambda: costsOf(chats.usage).lambda,
    bytesOfStream: chats.usage.bytesOut,
  });
  await publish(page, 'containers', comparison);
}

import { parseArgs } from 'node:util';
import { loadCatalogue } from '@errand/models';
import {
  allowOneThread,
  type Config,
  ConfigError,
  createLog,
  describeError,
  type Log,
  logProcess,
  readCatalogueSettings,
  readConfig,
  systemClock,
} from '@errand/platform';
import { greet } from './greet.ts';
import { hasLittleMemory } from './memory.ts';
import { checkServers } from './set-up/check-servers.ts';
import { createShutdown } from './shutdown.ts';
import { StartError } from './start-error.ts';
import { type PartName, startLocal } from './start-local.ts';

const partNames: readonly string[] = ['aws', 'api', 'worker'];
const say = (text: string) => void process.stdout.write(`${text}\n`);
const complain = (text: string) => void process.stderr.write(`${text}\n`);

function readOnly(): PartName | undefined {
  const usage = `usage: npm start [-- --only ${partNames.join('|')}]`;
  try {
    const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
    if (only === undefined || partNames.includes(only)) return only as PartName | undefined;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : 'wrong arguments'}\n${usage}`);
  }
  throw new StartError(usage);
}

/** Reads the environment and checks the catalogue that it names. Throws `ConfigError` with the problems of both. */
async function readSettings(): Promise<Config> {
  const problems: string[] = [];
  const note = (error: unknown): undefined => {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(error.message);
  };
  let config: Config | undefined;
  try {
    config = readConfig('local');
  } catch (error) {
    note(error);
  }
  await loadCatalogue(readCatalogueSettings(), () => ({ models: [], roles: {} })).catch(note);
  if (!config || problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

async function main(log: Log): Promise<void> {
  const only = readOnly();
  if (hasLittleMemory()) allowOneThread();
  const shutdown = createShutdown(say);
  logProcess(log, () => shutdown.end(1));
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Ctrl-C ends what reads the output, too. Output to a full disk is lost, and the service goes on.
      if (code === 'EPIPE') shutdown.end(stream === process.stdout ? 0 : 1);
    });
  // A signal during the start takes effect when the start is done, so that parts are stopped in order.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutdown.interrupt);
  const service = await startLocal({
    config: await readSettings(),
    log,
    only,
    onExit: (reason) => {
      complain(reason);
      shutdown.end(1);
    },
  });
  if (shutdown.begin(service)) return;
  say(greet(service, only, systemClock()).join('\n'));
  const { baseUrl, setUp } = service;
  if (baseUrl && setUp) void checkServers(setUp).then((lines) => lines.forEach(say));
}

const log = createLog((line) => process.stderr.write(`${line}\n`));

main(log).catch((error: unknown) => {
  if (error instanceof StartError || error instanceof ConfigError) complain(error.message);
  else {
    log.error('start failed', describeError(error));
    complain('Errand cannot start, because of a mistake of its own. The line before says where it is.');
  }
  process.exit(1);
});

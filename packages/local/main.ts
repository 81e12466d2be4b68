import { parseArgs } from 'node:util';
import { loadCatalogue } from '@errand/models';
import { type Config, ConfigError, createLog, readCatalogueSettings, readConfig } from '@errand/platform';
import { StartError } from './data-folder.ts';
import { type LocalService, type PartName, startLocal } from './start-local.ts';

const partNames: readonly string[] = ['aws', 'api', 'worker'];
const exitMilliseconds = 14_800;

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

function greet(service: LocalService, only: PartName | undefined): void {
  const { baseUrl, apiKey, standIns, takesRuns } = service;
  if (!baseUrl) {
    console.log(`Errand's ${only} is running. Stop it with Ctrl-C.`);
    return;
  }
  const lines = [`Errand is running at ${baseUrl}`];
  if (apiKey) lines.push(`API key: ${apiKey}`);
  if (standIns)
    lines.push(
      'Models: stand-ins. Set MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or MODEL_CATALOGUE, for real ones.',
    );
  const authorization = `-H "Authorization: Bearer ${apiKey ?? '<API key>'}"`;
  if (takesRuns)
    lines.push(
      '',
      'Ask something:',
      `  curl -s ${baseUrl}/v1/agents/runs ${authorization} \\`,
      `    -H "Content-Type: application/json" -d '{"question": "Search the web for tide tables"}'`,
      '',
    );
  else
    lines.push(
      'Runs: not available (AGENTS_ENABLED is false, or the catalogue has no role "reasoning").',
      '',
      'See its models:',
      `  curl -s ${baseUrl}/v1/models ${authorization}`,
      '',
    );
  console.log(lines.join('\n'));
}

async function main(): Promise<void> {
  const only = readOnly();
  const log = createLog((line) => process.stderr.write(`${line}\n`));
  let end: ((status: number) => void) | undefined;
  let interrupted = false;
  // A signal during the start takes effect when the start is done, so that parts are stopped in order.
  const interrupt = () => {
    if (end) return end(0);
    if (!interrupted) setTimeout(() => process.exit(1), exitMilliseconds).unref();
    interrupted = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  const service = await startLocal({
    config: await readSettings(),
    log,
    ...(only && { only }),
    onExit: (reason) => {
      console.error(reason);
      if (end) end(1);
      else process.exit(1);
    },
  });
  let ending = false;
  end = (status) => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), exitMilliseconds).unref();
    service.stop().then(
      () => process.exit(status),
      () => process.exit(1),
    );
  };
  if (interrupted) end(0);
  else greet(service, only);
}

main().catch((error: unknown) => {
  if (error instanceof StartError || error instanceof ConfigError) console.error(error.message);
  else console.error(error);
  process.exit(1);
});

import { addressOfLocal, type Terminal } from '@errand/admin';
import type { Config } from '@errand/platform';
import { CommanderError } from 'commander';
import { type Arguments, readArguments } from './arguments.ts';
import type { Check } from './check.ts';
import { cost } from './checks/cost.ts';
import { checks } from './checks.ts';
import { findKeys } from './find-keys.ts';
import { leaving } from './leaving.ts';
import { longChecks } from './long/checks.ts';
import { catalogueEntry, longTimes, startModelServer } from './long/model-server.ts';
import type { Row } from './outcome.ts';
import { createScene } from './scene.ts';
import { smoke } from './smoke.ts';
import { addressOfStage } from './stage/address.ts';
import { type StageDeps, stageDeps } from './stage/aws.ts';
import { stageChecks } from './stage/checks.ts';
import { headersForNext } from './stage/next.ts';
import { tableHead, tableRow } from './table.ts';

/** Runs one command line and returns its exit status: 0 all is well, 1 a check failed, 2 not a valid command line. */
export async function run(
  line: readonly string[],
  terminal: Terminal,
  readConfig: () => Config,
  signal?: AbortSignal,
): Promise<number> {
  try {
    return await prove(readArguments(line, terminal), readConfig(), terminal, signal);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.err(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function prove(
  given: Arguments,
  config: Config,
  { out, err }: Terminal,
  signal: AbortSignal | undefined,
): Promise<number> {
  const aws = given.stage === undefined ? undefined : stageDeps(given.stage, config.aws.region);
  const baseUrl =
    given.baseUrl ?? (await (aws ? addressOfStage(aws, config.aws.region) : addressOfLocal(config)));
  if (baseUrl === undefined)
    return given.refuse('BASE_URL is missing, and no local service is running: start it with npm start');
  const wanted = choose(given, aws);
  const { long } = given;
  const model = long && (await startModelServer(long.port, longTimes(long.answerSeconds)));
  if (long)
    err(`The catalogue of the service must have this model, whose address leads to port ${long.port} of this machine:
${JSON.stringify(catalogueEntry(long.modelUrl), null, 2)}`);
  const { keys, keyName, account } = await findKeys(given, config, baseUrl, err);
  const scene = createScene({
    baseUrl,
    key: keys[0],
    keyName,
    secondKey: keys[1],
    model: given.model,
    largeForms: given.largeForms,
    ...(given.next && aws && { next: true, headers: await headersForNext(aws) }),
    signal,
  });
  const all = [...wanted, cost, leaving(scene, account)];
  if (!given.json) for (const each of tableHead()) out(each);
  const rows = await smoke(scene, all, (row) => given.json || out(tableRow(row)), { tellWaiting: err });
  model?.close();
  const failed = rows.filter(({ result }) => result === 'failed');
  if (given.json) out(JSON.stringify({ baseUrl, ok: failed.length === 0, checks: rows }));
  else out(summary(baseUrl, rows));
  return failed.length === 0 ? 0 : 1;
}

/** The checks that the line asks for. A line that asks for none would prove nothing, and is refused. */
function choose({ only = '', long, next, refuse }: Arguments, aws: StageDeps | undefined): Check[] {
  const known = [
    ...checks,
    ...(long ? longChecks(long.modelUrl, longTimes(long.answerSeconds)) : []),
    // What callers have of the stage says nothing of the next version, and its logs come minutes late.
    ...(aws && !next ? stageChecks(aws) : []),
  ];
  const wanted = known.filter(({ name }) => name.includes(only));
  if (wanted.length > 0) return wanted;
  const names = known.map(({ name }) => `  ${name}`).join('\n');
  return refuse(`--only ${JSON.stringify(only)} is in the name of no check:\n${names}`);
}

function summary(baseUrl: string, rows: readonly Row[]): string {
  const count = (result: Row['result']) => rows.filter((row) => row.result === result).length;
  return `\n${baseUrl}: ${count('passed')} passed, ${count('skipped')} skipped, ${count('failed')} failed`;
}

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { delay, readConfig } from '@errand/platform';
import {
  addressOf,
  findStageFunctions,
  headersForNext,
  isNewest,
  ownFunctions,
  run,
  send,
  stageDeps,
} from '@errand/smoke';
import { settingsOf } from '../../infra/settings.ts';
import { buildAssets } from '../build-assets.ts';
import { root } from '../bundle-function.ts';
import { checkSettings } from '../check-settings.ts';
import { checkEarlierOrigin, checkQuota, checkSecrets, readSecrets } from './check-before.ts';
import { type DeployDeps, deploy, goBack } from './deploy.ts';
import { loadBundles } from './load-bundles.ts';

const usage = `usage: npm run deploy -- --stage NAME [--back | --unchecked]
Deploys the stage and has callers reach it once the new versions have passed the checks of npm run smoke;
--back has them reach the versions from before the last deploy, --unchecked the new ones without the checks.`;

const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => interrupted.abort(new Error('interrupted')));

const sst = (args: readonly string[], shown: boolean) =>
  spawnSync(path.join(root, 'node_modules/.bin/sst'), args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['inherit', shown ? 'inherit' : 'pipe', 'inherit'],
  });

/** Names and values of the stage's secrets. SST fails if there is none. */
function listSecrets(stage: string): Map<string, string> {
  const secrets = readSecrets(sst(['secret', 'list', '--stage', stage], false).stdout ?? '');
  // SST takes a secret from the environment, too.
  for (const [name, value = ''] of Object.entries(process.env))
    if (name.startsWith('SST_SECRET_')) secrets.set(name.slice('SST_SECRET_'.length), value);
  return secrets;
}

function depsOf(stage: string): DeployDeps {
  const settings = settingsOf(stage);
  const aws = stageDeps(stage, settings.region);
  // The smoke command looks for the stage in this region, too.
  process.env.AWS_REGION = settings.region;
  const smoke = async (...line: string[]) => {
    const status = await run(
      ['--stage', stage, ...line],
      terminal,
      () => readConfig('local'),
      interrupted.signal,
    );
    return status === 0;
  };
  return {
    stage,
    lambda: aws.lambda,
    listFunctions: () => findStageFunctions(aws),
    async check(live) {
      await checkSettings(stage, settings);
      await checkQuota(aws.lambda, settings);
      const secrets = listSecrets(stage);
      checkSecrets(settings, secrets);
      await checkEarlierOrigin(aws.lambda, live, secrets);
      await buildAssets();
      await loadBundles(settings);
      interrupted.signal.throwIfAborted();
    },
    sst: async () => sst(['deploy', '--stage', stage], true).status === 0,
    async smokeNext() {
      await whenRouted(`${await addressOf(aws)}/healthz`, await headersForNext(aws));
      return smoke('--next');
    },
    smokeLive: () => smoke('--only', ownFunctions.name),
    tell: terminal.out,
    now: () => new Date().toISOString(),
    signal: interrupted.signal,
  };
}

const routingMilliseconds = 120_000;
const pauseMilliseconds = 5_000;

/** The edge's store is not everywhere at once. Whether the answer is right is for the checks. */
async function whenRouted(url: string, headers: Record<string, string>): Promise<void> {
  for (const until = Date.now() + routingMilliseconds; Date.now() < until; ) {
    const answer = await send(url, { headers, signal: interrupted.signal }).catch(() => undefined);
    await answer?.text();
    if ((answer?.status === 200 && isNewest(answer)) || interrupted.signal.aborted) return;
    await delay(pauseMilliseconds, interrupted.signal).catch(() => {});
  }
}

function readArguments() {
  try {
    const { stage, back, unchecked } = parseArgs({
      options: { stage: { type: 'string' }, back: { type: 'boolean' }, unchecked: { type: 'boolean' } },
    }).values;
    return stage && !(back && unchecked) ? { stage, back, unchecked } : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<number> {
  const given = readArguments();
  if (given === undefined) {
    terminal.err(usage);
    return 2;
  }
  const deps = depsOf(given.stage);
  try {
    return await (given.back ? goBack(deps) : deploy(deps, given));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`${given.stage} could not be looked at, and nothing has changed: ${reason}`);
    return 1;
  }
}

process.exitCode = await main();
process.exit();

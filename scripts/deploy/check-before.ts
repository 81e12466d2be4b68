import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  type LambdaClient,
} from '@aws-sdk/client-lambda';
import { liveAlias, searchNeedsKey } from '@errand/platform';
import { invocationsFor, quotaFor, unreserved } from '../../infra/concurrency.ts';
import { toPascalCase } from '../../infra/functions.ts';
import { keyNames } from '../../infra/key-names.ts';
import type { Settings } from '../../infra/settings.ts';
import { root } from '../bundle-function.ts';
import type { Live } from './aliases.ts';

/** Rejects if the account may run fewer functions at once than the stage's settings need. */
export async function checkQuota(
  lambda: LambdaClient,
  { region, runsAtOnce, reservedConcurrency }: Settings,
): Promise<void> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const limit = AccountLimit?.ConcurrentExecutions ?? 0;
  const forRuns = 2 * invocationsFor(runsAtOnce).invocations;
  const needed = Math.max(forRuns, quotaFor(reservedConcurrency));
  if (limit >= needed) return;
  const why =
    needed === forRuns
      ? `twice the invocations of runsAtOnce, so that runs leave room for requests`
      : `what reservedConcurrency reserves, and the ${unreserved} that AWS keeps`;
  throw new Error(
    `the account may run ${limit} functions at once in ${region}, and the settings need ${needed} (${why}): ask for more in Service Quotas (Lambda, L-B99A9384), or lower the setting`,
  );
}

export const readKeyNames = ({ catalogue }: Pick<Settings, 'catalogue'>): string[] =>
  keyNames(JSON.parse(readFileSync(path.join(root, catalogue), 'utf8')));

/** Secrets as `sst secret list` prints them: a line each, those of all stages first. */
export const readSecrets = (printed: string): Map<string, string> =>
  new Map(
    [...printed.replaceAll(/\u001b\[[\d;]*m/g, '').matchAll(/^(\w+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

/** Throws with the secrets that the catalogue and the search provider need, and that are not set. */
export function checkSecrets(settings: Settings, secrets: ReadonlyMap<string, string>): void {
  const needed = readKeyNames(settings).map(toPascalCase);
  if (searchNeedsKey(settings.environment.SEARCH_PROVIDER)) needed.push('SearchApiKey');
  const missing = needed.filter((name) => !secrets.get(name));
  if (missing.length > 0)
    throw new Error(`these secrets are not set (sst secret set): ${missing.join(', ')}`);
  for (const name of ['EarlierOriginSecret', 'EarlierStoreSecret'])
    if (!(secrets.get(name) ?? '').split(',').every((each) => /^([A-Za-z0-9]{48})?$/.test(each.trim())))
      throw new Error(
        `${name} is none of the secrets that a stage makes: sst state export shows them only with --decrypt`,
      );
}

/**
 * While there is an earlier secret, the edge sends it, else that of the newest deploy. Serving versions that do not know what is sent would
 * refuse every request from the deploy on.
 */
export async function checkEarlierOrigin(
  lambda: LambdaClient,
  live: readonly Live[],
  secrets: ReadonlyMap<string, string>,
): Promise<void> {
  const earlier = secrets.get('EarlierOriginSecret');
  const secretsOf = async (FunctionName: string, Qualifier?: string): Promise<string[]> => {
    const command = new GetFunctionConfigurationCommand({ FunctionName, Qualifier });
    const { Environment } = await lambda.send(command);
    return Environment?.Variables?.ORIGIN_SECRET?.split(',') ?? [];
  };
  for (const { functionName } of live) {
    const accepted = await secretsOf(functionName, liveAlias);
    if (accepted.length === 0) continue;
    if (earlier && !accepted.includes(earlier))
      throw new Error(
        'EarlierOriginSecret is none that the serving versions accept: they would refuse every request',
      );
    if (!earlier && !accepted.includes((await secretsOf(functionName))[0] ?? ''))
      throw new Error(
        'the serving versions do not accept the OriginSecret of the stage: set EarlierOriginSecret to theirs, and deploy that first',
      );
  }
}

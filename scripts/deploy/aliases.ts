import {
  DeleteFunctionCommand,
  type FunctionConfiguration,
  GetAliasCommand,
  type LambdaClient,
  PublishVersionCommand,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { liveAlias } from '@errand/platform';

/** A function's alias, and what it is to be moved to. */
export interface Live {
  /** The function's name in the stack. */
  name: string;
  functionName: string;
  version: string;
  note: string;
}

/** What a move notes, so that `--back` knows it also after a move that was interrupted. */
interface Note {
  deploy: string;
  before: string;
}

export const writeNote = ({ deploy, before }: Note): string => `deploy ${deploy}, before it ${before}`;

export function readNote({ note }: Live): Note | undefined {
  const [, deploy, before] = /^deploy (\S+), before it (\d+)$/.exec(note) ?? [];
  return deploy !== undefined && before !== undefined ? { deploy, before } : undefined;
}

/** Which versions callers and queues reach. A function that only other functions call has no alias. */
export async function readLive(
  lambda: LambdaClient,
  functions: readonly FunctionConfiguration[],
): Promise<Live[]> {
  const all = await Promise.all(functions.map((each) => readAlias(lambda, each)));
  return all.filter((each) => each !== undefined).sort((one, other) => one.name.localeCompare(other.name));
}

async function readAlias(
  lambda: LambdaClient,
  { FunctionName = '', LoggingConfig }: FunctionConfiguration,
): Promise<Live | undefined> {
  try {
    const alias = await lambda.send(new GetAliasCommand({ FunctionName, Name: liveAlias }));
    return {
      name: LoggingConfig?.LogGroup?.split('/').at(-1) ?? FunctionName,
      functionName: FunctionName,
      version: alias.FunctionVersion ?? '',
      note: alias.Description ?? '',
    };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** The version that is the function itself. Lambda makes a new one only if the newest differs. */
export async function publish(lambda: LambdaClient, { functionName }: Live): Promise<string> {
  const { Version = '' } = await lambda.send(new PublishVersionCommand({ FunctionName: functionName }));
  return Version;
}

/** Puts all aliases to what is given, at the same time. Rejects when all are tried, if one could not be. */
export async function put(lambda: LambdaClient, wanted: readonly Live[]): Promise<void> {
  const done = await Promise.allSettled(
    wanted.map(({ functionName, version, note }) =>
      lambda.send(
        new UpdateAliasCommand({
          FunctionName: functionName,
          Name: liveAlias,
          FunctionVersion: version,
          Description: note,
        }),
      ),
    ),
  );
  const failed = done.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/** How many versions of a function stay, besides those that are in use. */
export const keptVersions = 5;

/**
 * Deletes old versions, and resolves with how many. What aliases reach or may go back to stays, and so does what a version
 * that stays calls.
 */
export async function deleteOld(
  lambda: LambdaClient,
  functions: readonly FunctionConfiguration[],
  live: readonly Live[],
): Promise<number> {
  const inUse = new Set(
    live.flatMap((each) =>
      [each.version, readNote(each)?.before].map((one) => `${each.functionName}:${one}`),
    ),
  );
  const versions = (await Promise.all(functions.map((each) => listVersions(lambda, each)))).map((all) => ({
    kept: all.filter((each, i) => i < keptVersions || inUse.has(keyOf(each))),
    old: all.filter((each, i) => i >= keptVersions && !inUse.has(keyOf(each))),
  }));
  const called = new Set(
    versions.flatMap(({ kept }) =>
      kept.flatMap(({ Environment }) => Object.values(Environment?.Variables ?? {})),
    ),
  );
  const unneeded = versions.flatMap(({ old }) => old).filter((each) => !called.has(keyOf(each)));
  for (const { FunctionName, Version } of unneeded)
    await lambda.send(new DeleteFunctionCommand({ FunctionName, Qualifier: Version }));
  return unneeded.length;
}

const keyOf = ({ FunctionName, Version }: FunctionConfiguration): string => `${FunctionName}:${Version}`;

/** Newest first, without `$LATEST`: deletion of that would be deletion of the function. */
async function listVersions(
  client: LambdaClient,
  { FunctionName }: FunctionConfiguration,
): Promise<FunctionConfiguration[]> {
  const found: FunctionConfiguration[] = [];
  for await (const { Versions = [] } of paginateListVersionsByFunction({ client }, { FunctionName }))
    found.push(...Versions.filter(({ Version = '' }) => /^\d+$/.test(Version)));
  return found.sort((one, other) => Number(other.Version) - Number(one.Version));
}

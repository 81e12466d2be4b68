import { type FunctionConfiguration, InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { deleteOld, type Live, publish, put, readLive, readNote, writeNote } from './aliases.ts';

export interface DeployDeps {
  stage: string;
  lambda: LambdaClient;
  /** The stage's functions; none before its first deploy. */
  listFunctions(): Promise<FunctionConfiguration[]>;
  /** Rejects with what would keep the deploy from working. */
  check(live: readonly Live[]): Promise<void>;
  /** Has SST deploy, and resolves with whether it could. */
  sst(): Promise<boolean>;
  /** Makes the checks against the newest versions, through the edge; resolves with whether all passed. */
  smokeNext(): Promise<boolean>;
  /** The same for what callers reach, and only whether each function answers. */
  smokeLive(): Promise<boolean>;
  tell(line: string): void;
  now(): string;
  /** Nothing is moved any more once it has aborted, but for what has to be moved back. */
  signal: AbortSignal;
}

const wordsOf = (live: readonly Live[]): string =>
  live.map(({ name, version }) => `${name} ${version}`).join(', ');

const serves = (live: readonly Live[]): string => `These versions serve: ${wordsOf(live) || 'none'}.`;

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, '; ');

/**
 * Deploys, and has callers reach the new versions once these pass the checks. `unchecked` takes them without: the checks need what an
 * outage may lack, such as a provider that accepts the key of the versions from before, or concurrency. Resolves with the exit status.
 */
export async function deploy(deps: DeployDeps, { unchecked = false } = {}): Promise<number> {
  const before = await readLive(deps.lambda, await deps.listFunctions());
  const stop = async (why: string) => {
    const serving = await readServing(deps);
    // Somebody else may have moved them meanwhile.
    const left =
      serving === serves(before)
        ? `The versions from before serve: ${wordsOf(before)}.`
        : `${before.length > 0 ? '' : 'There are none from before to go back to. '}${serving}`;
    deps.tell(`${why} ${left}`);
    return 1;
  };
  try {
    await deps.check(before);
  } catch (error) {
    const why = `Not deployed: ${reasonOf(error)}.`;
    if (before.length > 0) return await stop(why);
    deps.tell(`${why} Nothing has changed.`);
    return 1;
  }
  if (!(await deps.sst())) return await stop('SST did not finish the deploy.');
  try {
    const functions = await deps.listFunctions();
    const newest = await publishAll(deps.lambda, await readLive(deps.lambda, functions));
    if (!unchecked) {
      await startConsumers(deps, functions);
      if (!(await deps.smokeNext())) return await stop('The new versions failed the checks.');
    }
    const serving = await move(deps, functions, newest, unchecked);
    if (unchecked) deps.tell('The new versions were taken without the checks: npm run smoke makes them.');
    deps.tell(serves(serving));
    if (before.length > 0) deps.tell(`Back to those before: npm run deploy -- --stage ${deps.stage} --back`);
    await deleteOld(deps.lambda, functions, serving).catch((error) =>
      deps.tell(`Old versions could not be deleted, which the next deploy tries again: ${reasonOf(error)}.`),
    );
    return 0;
  } catch (error) {
    const why = `The new versions were not taken: ${reasonOf(error)}.`;
    if (!(error instanceof Mixed)) return await stop(why);
    deps.tell(`${why} ${await readServing(deps)} Then: npm run deploy -- --stage ${deps.stage} --back`);
    return 1;
  }
}

/** Some functions serve another version than they should. */
class Mixed extends Error {
  override readonly name = 'Mixed';
}

const readServing = ({ lambda, listFunctions }: DeployDeps): Promise<string> =>
  listFunctions()
    .then((functions) => readLive(lambda, functions))
    .then(serves, () => 'Which versions serve could not be read.');

/** Functions that no request reaches. They start, with their settings, and are given nothing to do. */
const consumers = ['worker', 'webhooks', 'dead-letters', 'schedules'];

async function startConsumers(
  { lambda }: DeployDeps,
  functions: readonly FunctionConfiguration[],
): Promise<void> {
  for (const { FunctionName, LoggingConfig } of functions) {
    const name = LoggingConfig?.LogGroup?.split('/').at(-1) ?? '';
    if (!consumers.includes(name)) continue;
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify({ Records: [] }) }),
    );
    if (FunctionError !== undefined)
      throw new Error(`${name} does not start: ${Payload?.transformToString()}`);
  }
}

const publishAll = (lambda: LambdaClient, live: readonly Live[]): Promise<Live[]> =>
  Promise.all(live.map(async (each) => ({ ...each, version: await publish(lambda, each) })));

/**
 * Moves all aliases to the versions that were checked, and back again if one cannot be moved or a function does not answer. Resolves
 * with what serves then. Rejects if another deploy has changed what was checked.
 */
async function move(
  deps: DeployDeps,
  functions: readonly FunctionConfiguration[],
  checked: readonly Live[],
  unchecked: boolean,
): Promise<Live[]> {
  const live = await readLive(deps.lambda, functions);
  const newest = await publishAll(deps.lambda, live);
  const changed = newest.filter(({ version }, i) => version !== checked[i]?.version);
  if (changed.length > 0)
    throw new Error(
      `another deploy has changed ${changed.map(({ name }) => name).join(', ')} since they were checked`,
    );
  // The way back to what was before a deploy stays if the next one changes nothing.
  if (live.every(({ version, note }, i) => note !== '' && version === newest[i]?.version)) return live;
  deps.signal.throwIfAborted();
  const wanted = notesOf(live, newest, deps.now());
  try {
    await put(deps.lambda, wanted);
    if (!unchecked && !(await deps.smokeLive())) throw new Error('callers got no right answers from them');
  } catch (error) {
    await put(deps.lambda, live).catch((failure) => {
      throw new Mixed(`${reasonOf(error)}; and not all could be moved back: ${reasonOf(failure)}`);
    });
    throw error;
  }
  return wanted;
}

/** The instant of the newest move; undefined if none is noted. */
const lastMove = (live: readonly Live[]): string | undefined =>
  live
    .flatMap((each) => readNote(each)?.deploy ?? [])
    .toSorted()
    .at(-1);

/**
 * What a move notes. All notes of a finished move have the same instant, but for an alias that was made since and has none. Where they
 * differ otherwise, the last move was interrupted: what it has moved goes back to what served before it.
 */
function notesOf(live: readonly Live[], newest: readonly Live[], deployed: string): Live[] {
  const last = lastMove(live);
  const isWhole = live.every((each) => each.note === '' || readNote(each)?.deploy === last);
  return newest.map((each, i) => {
    const note = readNote(each);
    const before = !isWhole && note?.deploy === last ? note?.before : live[i]?.version;
    return { ...each, note: writeNote({ deploy: deployed, before: before ?? each.version }) };
  });
}

/** Has callers reach the versions from before the last deploy. Resolves with the exit status. */
export async function goBack(deps: DeployDeps): Promise<number> {
  const { stage, lambda, listFunctions, tell, now } = deps;
  const live = await readLive(lambda, await listFunctions());
  const last = lastMove(live);
  const wanted = live.map((each) => {
    const { deploy: moved, before = '' } = readNote(each) ?? {};
    // A move that was interrupted has left the others where they were.
    const version = last !== undefined && moved === last ? before : each.version;
    return { ...each, version, note: `taken back ${now()} from ${each.version}` };
  });
  if (wanted.every(({ version }, i) => version === live[i]?.version)) {
    tell(`There is nothing to go back to in ${stage}. ${serves(live)}`);
    return 1;
  }
  try {
    await put(lambda, wanted);
  } catch (error) {
    tell(`Not all functions went back: ${reasonOf(error)}. ${await readServing(deps)} Try it again.`);
    return 1;
  }
  tell(`Back: these versions serve: ${wordsOf(wanted)}.`);
  return 0;
}

import {
  DomainError,
  decodeCursor,
  encodeCursor,
  fieldIssue,
  isUuid,
  limits,
  type Principal,
} from '@errand/platform';
import type { RunStoreDeps, RunsDeps } from './deps.ts';
import { cancelledMessage } from './end-run.ts';
import type { ListedState } from './lifecycle.ts';
import { firstLine, searchFor } from './question.ts';
import { showRun } from './read-run.ts';
import { type RunRecord, threadOf } from './run.ts';
import {
  type ListedRuns,
  listingKey,
  listRuns,
  listSubRuns,
  listThread,
  readRun,
  readRuns,
} from './store.ts';
import type { RunView } from './wire.ts';

const positionPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z#[0-9a-f-]{36}$/;

/** What the runs of a page have to be. */
interface Wanted {
  status?: ListedState;
  search?: string;
}

/**
 * A page of this key's runs, newest first, with a `cursor` if there may be more. It looks through a bounded number of runs:
 * where few are wanted, the page may be short or empty. Throws `invalid_request` for a cursor that is not ours.
 */
export async function listOwnRuns(
  deps: RunsDeps,
  principal: Principal,
  query: { limit: number; cursor?: string; thread?: string; parentRunId?: string } & Wanted,
): Promise<{ runs: RunView[]; cursor?: string }> {
  const { limit } = query;
  const list = await listingOf(deps, principal, query);
  const isWanted = filterOf(query);
  const found: RunRecord[] = [];
  let after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, readPosition);
  for (let unread = limits.runsLookedThrough; unread > 0; unread -= limits.pageEntries) {
    const page = await list({
      limit: isWanted ? Math.min(limits.pageEntries, unread) : limit - found.length,
      after,
    });
    const wanted = isWanted ? page.runs.filter(isWanted) : page.runs;
    const taken = wanted.slice(0, limit - found.length);
    found.push(...taken);
    const last = taken.at(-1);
    after = taken.length < wanted.length && last ? listingKey(last) : page.last;
    if (after === undefined || found.length === limit) break;
  }
  const runs = await Promise.all(found.map((run) => showListed(deps, run)));
  return { runs, ...(after !== undefined && { cursor: encodeCursor(after) }) };
}

type ListPage = (options: { limit: number; after?: string }) => Promise<ListedRuns>;

async function listingOf(
  deps: RunsDeps,
  principal: Principal,
  { thread, parentRunId }: { thread?: string; parentRunId?: string },
): Promise<ListPage> {
  if (thread !== undefined && parentRunId !== undefined)
    throw fieldIssue('parentRunId', 'cannot come with thread');
  if (parentRunId !== undefined) return subRunListing(deps, principal, parentRunId);
  return thread === undefined ? listing(deps, principal) : threadListing(deps, principal, thread);
}

/** The sub-runs of a run. Throws `not_found` for a run of another key. */
async function subRunListing(deps: RunsDeps, { keyId }: Principal, agentId: string): Promise<ListPage> {
  const run = await readRun(deps, agentId);
  if (run?.keyId !== keyId) throw new DomainError('not_found');
  return (options) => listSubRuns(deps, agentId, options);
}

const listing =
  (deps: RunsDeps, { keyId }: Principal): ListPage =>
  (options) =>
    listRuns(deps, keyId, options);

/** The chain of a run. Throws `not_found` for a run of another key. */
async function threadListing(deps: RunsDeps, principal: Principal, agentId: string): Promise<ListPage> {
  const { keyId } = principal;
  const run = await readRun(deps, agentId);
  const thread = run ? threadOf(run) : agentId;
  // The first run of a chain may be gone before the others.
  const isOwn = run ? run.keyId === keyId : await hasFollowers(deps, keyId, thread);
  if (!isOwn) throw new DomainError('not_found');
  return async (options) => {
    const page = await listThread(deps, { keyId, thread }, options);
    // The first run has no item in the listing of its chain. It is the oldest, so it stands at the end.
    if (page.last !== undefined) return page;
    const first = await readRuns(deps, [thread]);
    return { ...page, runs: [...page.runs, ...first] };
  };
}

const hasFollowers = async (deps: RunsDeps, keyId: string, thread: string): Promise<boolean> =>
  isUuid(thread) && (await listThread(deps, { keyId, thread }, { limit: 1 })).runs.length > 0;

/** Whether a run is wanted; undefined if every run is. */
function filterOf({ status, search = '' }: Wanted): ((run: RunRecord) => boolean) | undefined {
  if (status === undefined && search === '') return undefined;
  const isFound = search === '' ? undefined : searchFor(search);
  return (run) =>
    (status === undefined || isIn(status, run)) && (isFound === undefined || isFound(run.question ?? ''));
}

const isIn = (state: ListedState, { status, error }: RunRecord) =>
  state === 'cancelled' ? error === cancelledMessage : status === state;

/** The run without its value, and without citations that are too long for its item: those of a page may have a hundred megabytes of passages. */
async function showListed(deps: RunsDeps, run: RunRecord): Promise<RunView> {
  const { question } = run;
  const leftOut = { citationsStored: undefined, basis: undefined, basisStored: undefined };
  return showRun(deps, { ...run, question: question && firstLine(question), ...leftOut });
}

/**
 * A page of the runs of these keys, newest first, with a `cursor` if there may be more. Throws `invalid_request` for a
 * cursor that is not ours.
 */
export async function listRunsOfKeys(
  deps: RunStoreDeps,
  keyIds: readonly string[],
  query: { limit: number; cursor?: string },
): Promise<{ runs: RunRecord[]; cursor?: string }> {
  const { limit, cursor } = query;
  const after = cursor === undefined ? {} : { after: decodeCursor(cursor, readPosition) };
  const pages = await Promise.all(keyIds.map((keyId) => listRuns(deps, keyId, { limit, ...after })));
  const found = pages.flatMap(({ runs }) => runs).sort((a, b) => (listingKey(a) < listingKey(b) ? 1 : -1));
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  const more = runs.length < found.length || pages.some((page) => page.last !== undefined);
  return { runs, ...(more && last && { cursor: encodeCursor(listingKey(last)) }) };
}

/** Every run of a key that can be read, newest first. */
export async function* runsOfKey(deps: RunStoreDeps, keyId: string): AsyncGenerator<RunRecord> {
  let last: string | undefined;
  do {
    const page = await listRuns(deps, keyId, {
      limit: limits.pageEntries,
      after: last,
    });
    yield* page.runs;
    last = page.last;
  } while (last !== undefined);
}

const readPosition = (position: string) => (positionPattern.test(position) ? position : undefined);

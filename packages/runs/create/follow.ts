import {
  type AgentState,
  type Attachment,
  followRun,
  guardedForNext,
  initialState,
  writeCheckpoint,
} from '@errand/agent';
import {
  DomainError,
  fieldIssue,
  isDomainError,
  limits,
  type NamedWrite,
  type Principal,
  packPayload,
} from '@errand/platform';
import { copyRunFiles } from '@errand/uploads';
import { readState } from '../checkpoint-store.ts';
import type { RunStoreDeps } from '../deps.ts';
import { itemKeys, payloadPrefix } from '../item-keys.ts';
import { isFinished } from '../lifecycle.ts';
import { expirySeconds, placeOf, type RunRecord, threadOf } from '../run.ts';
import { copyMaterial } from '../run-material.ts';
import type { RunBody } from '../schema.ts';
import { type RunInput, readRun, readRunInput } from '../store.ts';
import { useApprovals } from '../writes.ts';
import type { RunRequest } from './request.ts';

/** A run that another goes on from. */
export interface FollowedRun {
  run: RunRecord;
  input: RunInput;
  state: AgentState;
}

/**
 * The request with its question, and the run that it goes on from. Throws `not_found` for a run of another key,
 * `run_cannot_continue`, and `invalid_request` where the question, or an answer to a call, is missing or wrong.
 */
export async function readFollowed(
  deps: RunStoreDeps,
  { keyId }: Principal,
  given: RunRequest,
): Promise<{ request: RunRequest<RunBody>; followed?: FollowedRun }> {
  const { body } = given;
  const { question, previousRunId } = body;
  if (previousRunId === undefined) {
    for (const field of ['functionResults', 'approvals'] as const)
      if (body[field]) throw fieldIssue(field, 'needs previousRunId');
    if (question === undefined) throw fieldIssue('question', 'is required');
    return { request: { ...given, body: { ...body, question } } };
  }
  const run = await readRun(deps, previousRunId);
  if (!run || run.keyId !== keyId) throw new DomainError('not_found');
  if (!isFinished(run.status)) throw new DomainError('run_cannot_continue', { reason: 'not_ended' });
  if (placeOf(run) >= limits.runsPerThread)
    throw new DomainError('run_cannot_continue', { reason: 'chain_full' });
  const read = Promise.all([readRunInput(deps, previousRunId), readState(deps, run)]);
  const [input, kept] = await read.catch(async (error: unknown) => {
    // It may have been deleted meanwhile.
    if (!(await readRun(deps, previousRunId))) throw new DomainError('not_found');
    throw isDomainError(error, 'not_found') ? notKept() : error;
  });
  // Earlier releases deleted it at the end. A run that was stopped before its work began has none, and one event.
  if (!kept && run.lastEventId > 1) throw notKept();
  const followed = { run, input, state: kept?.state ?? initialState };
  checkLength(followed);
  checkReplies(given, followed);
  if (question !== undefined) return { request: { ...given, body: { ...body, question } }, followed };
  const { agent } = input;
  const guarded = guardedForNext(agent, followed.state).input;
  const said = { ...guarded, question: agent.question, continues: true as const };
  // What answers the question of the run before has the shape that was asked for with it.
  const outputSchema = body.outputSchema ?? agent.outputSchema;
  return { request: { ...given, body: { ...body, ...said, outputSchema } }, followed };
}

/** A chain of runs that are stopped before they begin costs nothing, and each could bring another document. */
function checkLength({ input: { agent }, state }: FollowedRun): void {
  const text = agent.attachment?.kind === 'document' ? agent.attachment.text : '';
  if (writeCheckpoint(state).length + text.length > limits.followedCharacters)
    throw new DomainError('run_cannot_continue', { reason: 'too_long' });
}

const notKept = () => new DomainError('run_cannot_continue', { reason: 'not_kept' });

/** Throws unless the request says what the run before has to be told, and nothing that it has not asked for. */
function checkReplies({ body, upload }: RunRequest, { run, state }: FollowedRun): void {
  const { question, documentUrl, audioUrl, uploadId, functionResults = [], approvals = [] } = body;
  const { calls = [], asked = [] } = state.phase === 'ended' ? state : {};
  const replies = [
    ...functionResults.map((each) => ({ ...each, type: 'function', field: 'functionResults' })),
    ...approvals.map((each) => ({ ...each, type: 'approval', field: 'approvals' })),
  ];
  for (const { callId, type, field } of replies) {
    if (!asked.some((call) => call.id === callId && call.type === type))
      throw fieldIssue(field, `answers a call that was not asked for: ${callId}`);
    if (replies.filter((other) => other.callId === callId).length > 1)
      throw fieldIssue(field, `answers a call twice: ${callId}`);
  }
  for (const { callId, digest } of approvals)
    if (digest !== undefined && !asked.some((call) => call.id === callId && call.digest === digest))
      throw fieldIssue('approvals', `has another digest than the call ${callId}`);
  const brings = [documentUrl, audioUrl, uploadId, upload].some((each) => each !== undefined);
  if (approvals.some(({ approve }) => approve) && (question !== undefined || brings))
    throw fieldIssue(
      'approvals',
      'cannot come with a question or a file: ask in a run that follows this one',
    );
  if (question !== undefined) return;
  const missing = asked.find(({ id }) => !replies.some(({ callId }) => callId === id));
  if (missing) {
    const field = missing.type === 'function' ? 'functionResults' : 'approvals';
    throw fieldIssue(field, `must answer the call ${missing.id}`);
  }
  // Each asked call has its reply by now. A file answers `request_input`, and a run that failed is retried.
  if (asked.length > 0) return;
  if (calls.length === 0 && run.status !== 'failed')
    throw fieldIssue('question', 'is required: the run before has its answer');
  if (calls.length > 0 && !brings)
    throw fieldIssue('question', 'is required, or what the run before asks for');
}

/** The messages that the model is sent again, for the bound of the first completion. */
export function textSentAgain({ input, state }: FollowedRun): string {
  if ('messages' in state) return JSON.stringify(state.messages);
  if ('conversation' in state && state.conversation) return JSON.stringify(state.conversation.messages);
  // It had not begun its conversation, which the run that goes on from it begins with.
  const { question, attachment } = input.agent;
  const text = attachment?.kind === 'document' ? attachment.text : '';
  const before = 'followed' in state ? state.followed?.messages : undefined;
  return JSON.stringify([before ?? [], state.readings, question, text]);
}

/** What is written with a follow-up: its first state, its place in the chain, and on the run before who makes the approved calls. */
export async function followUpWrites(
  deps: RunStoreDeps,
  run: RunRecord,
  {
    request,
    followed,
    attachment,
  }: { request: RunRequest<RunBody>; followed: FollowedRun; attachment?: Attachment },
  signal: AbortSignal,
): Promise<NamedWrite[]> {
  const { agentId, keyId, createdAt } = run;
  const before = followed.run;
  const carried = followRun(
    { input: followed.input.agent, state: followed.state },
    { place: placeOf(before), coming: { ...request.body, attachment }, now: deps.clock() },
  );
  const { material, rename, files } = carried;
  await copyMaterial(deps.files, before.agentId, agentId, material, signal, rename);
  await copyRunFiles(deps, before.agentId, agentId, files, signal);
  const name = `${payloadPrefix(agentId)}state-first.json`;
  const packed = await packPayload(deps.files, name, writeCheckpoint(carried.state));
  const expiresAtSeconds = expirySeconds(run);
  const TableName = deps.tables.runs;
  const put = (key: { pk: string; sk: string }, item: object): NamedWrite => ({
    Put: { TableName, Item: { ...key, ...item, expiresAtSeconds } },
  });
  const writes = [
    put(itemKeys.state(agentId), packed),
    put(itemKeys.thread(keyId, threadOf(run), createdAt, agentId), { agentId }),
  ];
  // A call that was approved is made by one run alone.
  if (request.body.approvals?.some(({ approve }) => approve))
    writes.push(useApprovals(deps, before.agentId, agentId));
  return writes;
}

import { fieldIssue, stringField } from '@errand/platform';
import type { CreateRunBody, readRunInput } from '@errand/runs';
import {
  approvalRequestIdOf,
  callOfApproval,
  callOfFunction,
  functionCallIdOf,
  itemIdOf,
  keyOfRun,
} from '../ids.ts';
import { toText } from '../request/parts.ts';
import type { Item } from '../request/schema.ts';
import { isReply, type NewItems } from './new-items.ts';

type Replies = Pick<CreateRunBody, 'functionResults' | 'approvals'>;

/** Throws `invalid_request` with the place of an answer to nothing. */
export function readReplies({ items, previousRunId }: NewItems): Replies {
  const functionResults: NonNullable<Replies['functionResults']> = [];
  const approvals: NonNullable<Replies['approvals']> = [];
  for (const { item, at } of items) {
    if (!isReply(item)) continue;
    if (!previousRunId)
      throw fieldIssue(`${at}.type`, 'needs previous_response_id: that of the run which asked');
    if (item.type === 'function_call_output')
      functionResults.push(readResult(item, at, keyOfRun(previousRunId)));
    else approvals.push(readApproval(item, at, keyOfRun(previousRunId)));
  }
  return {
    ...(functionResults.length > 0 && { functionResults }),
    ...(approvals.length > 0 && { approvals }),
  };
}

const readResult = (item: Item, at: string, key: string) => ({
  callId: callOfFunction(stringField(item, 'call_id', at), key),
  result: toText(item.output, `${at}.output`, '\n\n'),
});

function readApproval(item: Item, at: string, key: string) {
  const field = 'approval_request_id';
  const callId = callOfApproval(stringField(item, field, at), key);
  if (callId === undefined)
    throw fieldIssue(`${at}.${field}`, 'must be the id of a request of the run in previous_response_id');
  const { approve, reason } = item;
  if (typeof approve !== 'boolean') throw fieldIssue(`${at}.approve`, 'must be true or false');
  if ((reason ?? null) === null) return { callId, approve };
  return { callId, approve, reason: stringField(item, 'reason', at) };
}

type Told = Awaited<ReturnType<typeof readRunInput>>['agent'];

/** The answers that a run was created with, as the items that brought them. `key` is that of the run. */
export function replyItems(
  { functionResults = [], approvals = [], previousRunId = '' }: Told,
  key: string,
): Item[] {
  const before = keyOfRun(previousRunId);
  const results = functionResults.map(({ callId, result, error }, index) => ({
    id: itemIdOf(`fco_${index}`, key),
    type: 'function_call_output',
    status: 'completed',
    call_id: functionCallIdOf(callId, before),
    output: error === undefined ? result : `Error: ${error}`,
  }));
  const decisions = approvals.map(({ callId, approve, reason }, index) => ({
    id: itemIdOf(`mcpa_${index}`, key),
    type: 'mcp_approval_response',
    approval_request_id: approvalRequestIdOf(callId, before),
    approve,
    reason: reason ?? null,
  }));
  return [...results, ...decisions];
}

import { newUuid } from '@errand/platform';

/** What a response is known by: `resp_`, and these 32 hexadecimal digits. The ids of its items end in them, so that an item's response can be found. */
export const newResponseKey = (): string => newUuid().replaceAll('-', '');

export const responseIdOf = (key: string): string => `resp_${key}`;

/** The key in the id of a response. Undefined for any other text. */
export const keyOfResponse = (id: string): string | undefined => /^resp_([0-9a-f]{32})$/.exec(id)?.[1];

export const itemIdOf = (name: string, key: string): string => `${name}_${key}`;

/** The id of a run's request to approve a call. `key` is that of the run's response: an answer names this run's call and no other's. */
export const approvalRequestIdOf = (callId: string, key: string): string => itemIdOf(`mcpr_${callId}`, key);

/** The call that is asked about. Undefined for an id of another run, or of anything else. */
export function callOfApprovalRequest(id: string, key: string): string | undefined {
  const callId = id.slice('mcpr_'.length, -`_${key}`.length);
  return approvalRequestIdOf(callId, key) === id ? callId : undefined;
}

/** The run whose items have this key in their ids. */
export const runOfKey = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The key in the ids of a run's items. */
export const keyOfRun = (runId: string): string => runId.replaceAll('-', '');

const ending = /_([0-9a-f]{32})$/;

/** The key of the response that has this item. Undefined for an id that we did not make. */
export const keyOfItem = (id: string): string | undefined => ending.exec(id)?.[1];

/** The name that an item has without its response: the id that an upstream gave it, where there is one. */
export const withoutKey = (id: string): string => id.replace(ending, '');

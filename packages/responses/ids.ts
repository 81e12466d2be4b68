import { newUuid } from '@errand/platform';

/** What a response is known by: `resp_`, and these 32 hexadecimal digits. The ids of its items end in them, so that an item's response can be found. */
export const newResponseKey = (): string => newUuid().replaceAll('-', '');

export const responseIdOf = (key: string): string => `resp_${key}`;

/** The key in the id of a response. Undefined for any other text. */
export const keyOfResponse = (id: string): string | undefined => /^resp_([0-9a-f]{32})$/.exec(id)?.[1];

export const itemIdOf = (name: string, key: string): string => `${name}_${key}`;

/** Before the call's own id in that of a request to approve it. */
const approval = 'mcpr_';

/**
 * The ids of what a run asks about a call. `key` is that of the run's response: an answer names this run's call and no other's, and
 * clients that go by the id alone take no two for one.
 */
export const functionCallIdOf = (callId: string, key: string): string => itemIdOf(callId, key);
export const approvalRequestIdOf = (callId: string, key: string): string =>
  itemIdOf(`${approval}${callId}`, key);

/** The call that is asked about. A run itself tells it without the key. */
export const callOfFunction = (id: string, key: string): string =>
  keyOfItem(id) === key ? withoutKey(id) : id;

/** The call that is asked about. Undefined for an id of another run, or of anything else. */
export const callOfApproval = (id: string, key: string): string | undefined =>
  id.startsWith(approval) && keyOfItem(id) === key ? withoutKey(id).slice(approval.length) : undefined;

/** The run whose items have this key in their ids. */
export const runOfKey = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The key in the ids of a run's items. */
export const keyOfRun = (runId: string): string => runId.replaceAll('-', '');

const ending = /_([0-9a-f]{32})$/;

/** The key of the response that has this item. Undefined for an id that we did not make. */
export const keyOfItem = (id: string): string | undefined => ending.exec(id)?.[1];

/** The name that an item has without its response: the id that an upstream gave it, where there is one. */
export const withoutKey = (id: string): string => id.replace(ending, '');

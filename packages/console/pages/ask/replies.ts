import type { AskedCall, FollowUp } from '@errand/client';

/** What the visitor says to a call: whether it may be made and why not, or what a function returned. */
export interface Reply {
  approve?: boolean;
  text?: string;
  failed?: boolean;
}

export type Replies = Readonly<Record<string, Reply>>;

/** The run that a question goes on from, and what that asks for. */
export interface Follows {
  agentId: string;
  calls: readonly AskedCall[];
  /** Whether it awaits input. */
  asks: boolean;
  /** Whether it asks for words or a file too. */
  takesWords: boolean;
  /** Whether it can go on without a question. */
  canGoOn: boolean;
}

/** What is approved is called before anything else is said. */
export const isApproved = ({ calls }: Follows, replies: Replies): boolean =>
  calls.some(({ id }) => replies[id]?.approve === true);

export function readReplies(
  { agentId, calls }: Follows,
  replies: Replies,
): FollowUp & { previousRunId: string } {
  const functionResults = calls
    .filter(({ type }) => type === 'function')
    .map(({ id: callId }) => {
      const { text = '', failed } = replies[callId] ?? {};
      return failed ? { callId, error: text } : { callId, result: text };
    });
  const approvals = calls
    .filter(({ type }) => type === 'approval')
    .map(({ id: callId, digest }) => {
      const { approve = false, text = '' } = replies[callId] ?? {};
      return { callId, approve, digest, ...(!approve && text.trim() && { reason: text.trim() }) };
    });
  return {
    previousRunId: agentId,
    ...(functionResults.length > 0 && { functionResults }),
    ...(approvals.length > 0 && { approvals }),
  };
}

/** Characters that a page shows as nothing, or that turn the direction of others. */
const unseen = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** The arguments of a call, laid out in lines where that loses nothing of what the model wrote. */
export function exactArguments(json: string): string {
  return layOut(json).replaceAll(unseen, (sign) =>
    sign === '\n' ? sign : `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  );
}

function layOut(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(value) === json ? JSON.stringify(value, null, 2) : json;
  } catch {
    return json;
  }
}

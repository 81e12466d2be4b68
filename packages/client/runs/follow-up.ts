import type { components } from '../schema.ts';
import type { NewRun } from './start-run.ts';

/** What a run asks of its caller: a function's result, or whether a call may be made. */
export type AskedCall = components['schemas']['AskedCall'];

/** A run that goes on from another. */
export type FollowUp = Omit<NewRun, 'previousRunId'>;

/** Whether a call may be made: true, or the reason why not, which the model reads. */
export type Verdict = boolean | string;

/**
 * What a run was told of how to work. A run that goes on from it has the same, but for what it is told anew. The schema is the
 * question's, and the agent stays in the version of the run before where it is not named again.
 */
function settingsOf({
  question,
  documentUrl,
  audioUrl,
  uploadId,
  functionResults,
  approvals,
  outputSchema,
  agent,
  ...settings
}: FollowUp): FollowUp {
  return settings;
}

/** The input of a run that goes on. A text is its question, or the answer to what the run before has asked. */
export const followUpOf = (agentId: string, before: FollowUp, given: string | FollowUp): NewRun => ({
  ...settingsOf(before),
  ...(typeof given === 'string' ? { question: given } : given),
  previousRunId: agentId,
});

/** The answers to calls that need approval. Each names the digest of what was judged. */
export const approvalsOf = (
  calls: readonly AskedCall[],
  decide: (call: AskedCall) => Verdict | Promise<Verdict>,
): Promise<NonNullable<NewRun['approvals']>> =>
  Promise.all(
    calls
      .filter(({ type }) => type === 'approval')
      .map(async (call) => {
        const { id: callId, digest } = call;
        const verdict = await decide(call);
        return {
          ...{ callId, digest, approve: verdict === true },
          ...(typeof verdict === 'string' && verdict !== '' && { reason: verdict }),
        };
      }),
  );

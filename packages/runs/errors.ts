import { agentFieldErrors } from '@errand/agents';
import {
  commonErrors,
  type ErrorTable,
  errorCodes,
  limits,
  plainIssues,
  soon,
  unexpectedErrors,
} from '@errand/platform';
import { skillFieldErrors } from '@errand/skills';
import { uploadErrors } from '@errand/uploads';

/** Why no run can go on from a run. */
const continueWords = {
  not_ended: 'The run has not ended. Wait until it has, or cancel it.',
  not_kept: 'What the run did is not kept, so no run can go on from it.',
  chain_full: `A chain has at most ${limits.runsPerThread} runs.`,
  too_long: `The run leaves more than ${limits.followedCharacters} characters to go on from.`,
  approvals_used: 'The calls were approved before, by another run.',
} as const;

/** The answers of the routes of runs. */
export const runErrors: ErrorTable = {
  ...unexpectedErrors(...errorCodes.skills, ...errorCodes.agents, ...errorCodes.models),
  ...commonErrors,
  ...plainIssues,
  ...skillFieldErrors,
  ...agentFieldErrors,
  ...uploadErrors,
  agents_disabled: () => ({ status: 503, body: 'Agent service is not enabled' }),
  queue_unavailable: () => ({
    status: 503,
    body: 'Agent service is unavailable. Please retry.',
    headers: soon,
  }),
  idempotency_conflict: () => ({
    status: 409,
    body: 'This Idempotency-Key was used with another request body.',
  }),
  idempotency_busy: () => ({
    status: 409,
    body: 'A request with this Idempotency-Key is being worked on. Please retry.',
    headers: soon,
  }),
  run_not_finished: () => ({ status: 409, body: 'The run is not finished. Cancel it first.' }),
  run_cannot_continue: ({ reason }) => ({ status: 409, body: continueWords[reason] }),
};

import type { BudgetPeriod, KeyEnd, RouteFamily } from './principal.ts';

/** One line of a validation failure: `field: problem`. An empty field means the body as a whole. */
export interface Issue {
  field: string;
  problem: string;
}

export const unresolvedReasons = ['unknown', 'disabled', 'unknown_version', 'unversioned'] as const;

export type UnresolvedReason = (typeof unresolvedReasons)[number];

/** Refusals of any route. */
interface CommonErrorDetails {
  /** `end` is told to whoever has the whole key. Without it the key is missing or was never there. */
  unauthorized: { end?: KeyEnd } | undefined;
  rate_limited: { retryAfterSeconds: number };
  /** The key may not use this family of routes. */
  route_forbidden: { route: RouteFamily };
  /** The key may not use this model. */
  model_forbidden: { model: string };
  /** Amounts in EUR: what is there, and what is set aside for the request. */
  no_credits: { available: string; needed: string };
  /** The key's budget. `amount` is in EUR; without `retryAfterSeconds` it does not begin again. */
  budget_spent: { amount: string; period: BudgetPeriod; retryAfterSeconds?: number };
  /** What the accounts of an organisation may spend in a month. `amount` is in EUR. */
  ceiling_spent: { organisationId?: string; amount: string; retryAfterSeconds: number };
  /** The key may not read what its organisation has used. */
  operator_only: undefined;
  not_found: undefined;
  malformed_json: undefined;
  body_too_large: { limitBytes: number };
  /** The body did not arrive in its time. */
  body_too_slow: undefined;
  nested_too_deep: { limitLevels: number };
  invalid_request: { issues: readonly Issue[] };
  precondition_failed: undefined;
  skills_disabled: undefined;
  /** A table, the queue or the bucket failed, was throttled or did not answer, through all tries. */
  store_unavailable: undefined;
  /** The process is about to end, or the invocation is. Nothing was done. */
  stopping: undefined;
}

/** Refusals of the routes of runs. */
interface RunErrorDetails {
  agents_disabled: undefined;
  queue_unavailable: undefined;
  idempotency_conflict: undefined;
  /** Another request with the same key and body is being worked on. */
  idempotency_busy: undefined;
  run_not_finished: undefined;
  run_cannot_continue: { reason: 'not_ended' | 'not_kept' | 'chain_full' | 'too_long' | 'approvals_used' };
}

/** Refusals about the files that runs are sent and save. */
interface UploadErrorDetails {
  uploads_disabled: undefined;
  conversion_disabled: undefined;
  storage_unavailable: undefined;
  too_many_uploads: { limit: number; retryAfterSeconds: number };
  upload_too_large: { filename: string; limitBytes: number };
  extension_not_accepted: { extension: string; accepted: readonly string[] };
  /** A `temporary` failure says nothing against the file: its upload is kept and can be used again. */
  upload_unreadable: { reason: string; temporary?: boolean };
  link_altered: undefined;
  link_expired: undefined;
}

/** Refusals about the `skills` field of a request. */
interface SkillFieldErrorDetails {
  skill_param_invalid: undefined;
  skill_unresolved: { reason: UnresolvedReason; name: string };
  /** The skill is not as the request's `If-Match` says. */
  skill_changed: { name: string };
}

/** Refusals about the `agent` field of a request. */
interface AgentFieldErrorDetails {
  agent_unresolved: { reason: UnresolvedReason; name: string };
  /** The agent is not as the request's `If-Match` says. */
  agent_changed: { name: string };
  /** The key may not start runs by this agent, or may not change it. */
  agent_forbidden: { agent: string };
}

/** Refusals of the routes that manage stored agents. */
interface AgentErrorDetails {
  agent_not_found: undefined;
  agent_name_taken: { name: string };
}

/** Refusals of the routes that manage skills. */
interface SkillErrorDetails {
  skill_not_found: undefined;
  skill_name_taken: { name: string };
  instructions_too_long: { limit: number; actual: number };
}

/** Refusals of the routes that call models: chat and decisions. */
interface ModelErrorDetails {
  /** `nearest` is the id of a model that the caller could mean and may use. */
  model_not_found: { model: string; nearest?: string };
  model_kind_unsupported: { model: string };
  /** The model cannot read what the request has. `problem` is a sentence for callers. */
  input_unsupported: { problem: string };
  wrong_location: undefined;
  /** `moreThanTokens`: the input has more, by our count, which stopped there. */
  context_length_exceeded: { limitTokens: number; moreThanTokens?: number; param?: string };
  /** `message` has the upstream's own words if it gave a reason. It is for the caller alone, never for the log. */
  upstream_refused: { message: string; code: string | null; param: string | null };
  upstream_misconfigured: undefined;
  at_capacity: undefined;
  unreadable_answer: undefined;
  timed_out: undefined;
  /** A kept response, or an item of one, that is gone, was never there, or is another key's. `param` is the field that names it. */
  response_not_found: { param: string };
}

/**
 * Every code that business code can refuse with, and the details that the answer's words need. Each family of routes
 * has a table from code to status and body (`ErrorTable`), so a new code does not compile until each has an answer.
 */
export interface ErrorDetails
  extends CommonErrorDetails,
    RunErrorDetails,
    UploadErrorDetails,
    SkillFieldErrorDetails,
    AgentFieldErrorDetails,
    AgentErrorDetails,
    SkillErrorDetails,
    ModelErrorDetails {}

/** The codes of each family: other families' tables list them as unexpected. */
export const errorCodes = {
  runs: [
    'agents_disabled',
    'queue_unavailable',
    'idempotency_conflict',
    'idempotency_busy',
    'run_not_finished',
    'run_cannot_continue',
  ],
  uploads: [
    'uploads_disabled',
    'conversion_disabled',
    'storage_unavailable',
    'too_many_uploads',
    'upload_too_large',
    'extension_not_accepted',
    'upload_unreadable',
    'link_altered',
    'link_expired',
  ],
  agents: ['agent_not_found', 'agent_name_taken'],
  agentField: ['agent_unresolved', 'agent_changed', 'agent_forbidden'],
  skillField: ['skill_param_invalid', 'skill_unresolved', 'skill_changed'],
  skills: ['skill_not_found', 'skill_name_taken', 'instructions_too_long'],
  models: [
    'model_not_found',
    'model_kind_unsupported',
    'input_unsupported',
    'wrong_location',
    'context_length_exceeded',
    'upstream_refused',
    'upstream_misconfigured',
    'at_capacity',
    'unreadable_answer',
    'timed_out',
    'response_not_found',
  ],
} as const satisfies Record<string, readonly (keyof ErrorDetails)[]>;

export type ErrorCode = keyof ErrorDetails;

/** A refusal by business code. The route's error table picks status and words. */
export class DomainError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'DomainError';
  readonly code: C;
  readonly details: ErrorDetails[C];

  constructor(
    code: C,
    ...details: undefined extends ErrorDetails[C] ? [ErrorDetails[C]?] : [ErrorDetails[C]]
  ) {
    super(code);
    this.code = code;
    this.details = details[0] as ErrorDetails[C];
  }
}

/** A refusal of one field of the request. */
export const fieldIssue = (field: string, problem: string): DomainError =>
  new DomainError('invalid_request', { issues: [{ field, problem }] });

export function isDomainError<C extends ErrorCode>(error: unknown, code: C): error is DomainError<C> {
  return error instanceof DomainError && error.code === code;
}

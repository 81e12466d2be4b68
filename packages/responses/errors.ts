import { agentFieldErrors } from '@errand/agents';
import { chatErrors } from '@errand/chat';
import {
  answerOf,
  type DomainError,
  type ErrorAnswer,
  type ErrorTable,
  errorCodes,
  type Issue,
  requestError,
  serverError,
} from '@errand/platform';
import { runErrors } from '@errand/runs';

/** Where a field of a chat completion is in a request for a response. */
const places: readonly [RegExp, string][] = [
  [/^messages\b.*/, 'input'],
  [/^max_(completion_)?tokens$/, 'max_output_tokens'],
  [/^response_format\b.*/, 'text.format'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^verbosity$/, 'text.verbosity'],
  [/^logprobs$/, 'top_logprobs'],
  [/^(question|documentUrl|uploadId)$/, 'input'],
  [/^(functionResults|approvals)\b.*/, 'input'],
  [/^(functions|approve)\b.*/, 'tools'],
  [/^agent$/, 'model'],
  [/^previousRunId$/, 'previous_response_id'],
  [/^tools(\[\d+\])\.(function|custom)\b/, 'tools$1'],
];

export const placeOf = (field: string): string =>
  places.reduce((place, [pattern, here]) => place.replace(pattern, here), field);

const placed = (issue: Issue): Issue => ({ ...issue, field: placeOf(issue.field) });

/** No id is told: what is another key's must not differ from what is not there. */
function notFound(param: string | undefined) {
  if (param === undefined) return requestError('There is no such response.', null);
  if (param !== 'previous_response_id')
    return requestError('There is no such item.', 'item_not_found', param);
  return requestError('There is no such previous response.', 'previous_response_not_found', param);
}

const ofRuns = [...errorCodes.runs, ...errorCodes.uploads, ...errorCodes.agentField] as const;

/** The refusals of runs in OpenAI's words: those that runs have as text. */
const enveloped = Object.fromEntries(
  ofRuns.map((code) => [
    code,
    (details: unknown): ErrorAnswer => {
      const answer = answerOf(runErrors, { code, details } as DomainError);
      if (typeof answer.body !== 'string') return answer;
      const error = answer.status < 500 ? requestError : serverError;
      return { ...answer, body: error(answer.body, code) };
    },
  ]),
) as Pick<ErrorTable, (typeof ofRuns)[number]>;

/** Status and body of each refusal of responses: chat's, with the fields of the caller's request, and those of runs. */
export const responsesErrors: ErrorTable = {
  ...chatErrors,
  ...enveloped,
  agent_changed: (details) => ({
    status: 412,
    body: requestError(agentFieldErrors.agent_changed(details).body.error.message, 'agent_changed', 'model'),
  }),
  invalid_request: ({ issues }) => chatErrors.invalid_request({ issues: issues.map(placed) }),
  context_length_exceeded: (details) => chatErrors.context_length_exceeded({ ...details, param: 'input' }),
  not_found: () => ({ status: 404, body: notFound(undefined) }),
  response_not_found: ({ param }) => ({ status: 404, body: notFound(param) }),
  upstream_refused: ({ param, ...details }) =>
    chatErrors.upstream_refused({ ...details, param: param && placeOf(param) }),
};

import { chatErrors } from '@errand/chat';
import { type ErrorTable, type Issue, requestError } from '@errand/platform';

/** Where a field of a chat completion is in a request for a response. */
const places: readonly [RegExp, string][] = [
  [/^messages\b.*/, 'input'],
  [/^max_(completion_)?tokens$/, 'max_output_tokens'],
  [/^response_format\b.*/, 'text.format'],
  [/^reasoning_effort$/, 'reasoning.effort'],
  [/^verbosity$/, 'text.verbosity'],
  [/^logprobs$/, 'top_logprobs'],
  [/^tools(\[\d+\])\.(function|custom)\b/, 'tools$1'],
];

export const placeOf = (field: string): string =>
  places.reduce((place, [pattern, here]) => place.replace(pattern, here), field);

const placed = (issue: Issue): Issue => ({ ...issue, field: placeOf(issue.field) });

const shownIdCharacters = 128;

function notFound(id: string, param: string | null) {
  if (param === null) return requestError(`Response with id '${id}' not found.`, null);
  if (param !== 'previous_response_id')
    return requestError(`Item with id '${id}' not found.`, 'item_not_found', param);
  return requestError(`Previous response with id '${id}' not found.`, 'previous_response_not_found', param);
}

/** Status and body of each refusal of responses: chat's, with the fields of the caller's request. */
export const responsesErrors: ErrorTable = {
  ...chatErrors,
  invalid_request: ({ issues }) => chatErrors.invalid_request({ issues: issues.map(placed) }),
  response_not_found: ({ id, param = null }) => {
    const shown = id.slice(0, shownIdCharacters);
    return { status: 404, body: notFound(shown, param) };
  },
  upstream_refused: ({ param, ...details }) =>
    chatErrors.upstream_refused({ ...details, param: param && placeOf(param) }),
};

import { fieldIssue } from '@errand/platform';
import { type ResponsesRequest, responsesRequest } from './schema.ts';

/** Fields that change nothing where they are not followed. */
const harmless: ReadonlySet<string> = new Set([
  ...['stream_options', 'client_metadata', 'prompt_cache_retention', 'prompt_cache_options'],
]);

const why: Readonly<Record<string, string>> = {
  conversation: 'is not kept here: send previous_response_id, or the whole input',
  prompt: 'is not kept here: send its text as instructions',
};

/** Throws `invalid_request` for a field whose answer would be another if it were ignored. */
export function refuseFields(request: ResponsesRequest): void {
  refuseUnknown(request);
  if (request.background) throw fieldIssue('background', 'is for runs alone: model agent:default');
  if ((request.truncation ?? 'disabled') !== 'disabled')
    throw fieldIssue('truncation', 'must be disabled: what is too long for a model is refused');
}

/** Throws `invalid_request` for a field that nothing here follows. */
export function refuseUnknown(request: ResponsesRequest): void {
  for (const [name, value] of Object.entries(request)) {
    if (name in responsesRequest.entries || harmless.has(name) || value === null) continue;
    throw fieldIssue(name, why[name] ?? 'is not known here');
  }
}

import { fieldIssue, meantBy } from '@errand/platform';
import {
  logprobsName,
  type ResponsesRequest,
  reasoningFields,
  responsesRequest,
  textFields,
} from './schema.ts';

/** Fields that change nothing where they are not followed. */
const harmless: ReadonlySet<string> = new Set([
  ...['stream_options', 'client_metadata', 'prompt_cache_retention', 'prompt_cache_options'],
]);

const why: ReadonlyMap<string, string> = new Map([
  ['conversation', 'is not kept here: send previous_response_id, or the whole input'],
  ['prompt', 'is not kept here: send its text as instructions'],
]);

/** Fields of a chat completion that have another name in a response. */
const named: ReadonlyMap<string, string> = new Map(
  ['max_tokens', 'max_completion_tokens'].map((field) => [field, 'max_output_tokens']),
);

/** What OpenAI's clients may ask to have included. Most of it is of tools that no chat model has here. */
const includable: ReadonlySet<string> = new Set([
  ...[logprobsName, 'reasoning.encrypted_content', 'message.input_image.image_url'],
  ...['web_search_call.results', 'web_search_call.action.sources', 'file_search_call.results'],
  ...['computer_call_output.output.image_url', 'code_interpreter_call.outputs'],
]);

/** Throws `invalid_request` for a field whose answer would be another if it were ignored. */
export function refuseFields(request: ResponsesRequest): void {
  refuseUnknown(request);
  if (request.background) throw fieldIssue('background', 'is for runs alone: model agent:default');
  if ((request.truncation ?? 'disabled') !== 'disabled')
    throw fieldIssue('truncation', 'must be disabled: what is too long for a model is refused');
}

/** Throws `invalid_request` for a field that nothing here follows. */
export function refuseUnknown(request: ResponsesRequest): void {
  refuseOthers(request, responsesRequest.entries);
  refuseOthers(request.reasoning, reasoningFields, 'reasoning.');
  refuseOthers(request.text, textFields, 'text.');
  const include = request.include ?? [];
  const other = include.findIndex((name) => !includable.has(name));
  if (other >= 0) throw fieldIssue(`include[${other}]`, `must be one of ${[...includable].join(', ')}`);
}

function refuseOthers(fields: object | null | undefined, known: object, at = ''): void {
  for (const [name, value] of Object.entries(fields ?? {})) {
    const field = `${at}${name}`;
    if (value === null || Object.hasOwn(known, name) || harmless.has(field)) continue;
    if (named.has(field)) throw fieldIssue(named.get(field)!, `is what ${field} is called here`);
    const meant = meantBy(name, Object.keys(known));
    const problem = meant === undefined ? 'is not known here' : `is not known here: write ${at}${meant}`;
    throw fieldIssue(field, why.get(field) ?? problem);
  }
}

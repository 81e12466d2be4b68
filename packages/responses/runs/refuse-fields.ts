import { fieldIssue } from '@errand/platform';
import { refuseUnknown } from '../request/refuse-fields.ts';
import type { ResponsesRequest } from '../request/schema.ts';

const notTaken = [
  ...['max_output_tokens', 'max_tool_calls', 'temperature', 'top_p'],
  ...['presence_penalty', 'frequency_penalty', 'top_logprobs'],
] as const satisfies readonly (keyof ResponsesRequest)[];

/** Throws `invalid_request` for a field that no run can follow. */
export function refuseRunFields(request: ResponsesRequest): void {
  refuseUnknown(request);
  const refuse = (field: string, isGiven: unknown, problem = 'is not taken by runs') => {
    if (isGiven) throw fieldIssue(field, problem);
  };
  const { previous_response_id, store, tool_choice, text, reasoning, parallel_tool_calls } = request;
  refuse('previous_response_id', previous_response_id, 'is not taken by runs: a run is one exchange');
  refuse('store', store === false, 'must not be false: a run is kept until it expires or is deleted');
  for (const field of notTaken) refuse(field, (request[field] ?? null) !== null);
  refuse('tool_choice', (tool_choice ?? 'auto') !== 'auto', 'must be auto: a run chooses its tools');
  refuse('parallel_tool_calls', parallel_tool_calls === false);
  refuse('text.format', (text?.format?.type ?? 'text') !== 'text', 'must be text: a run answers in markdown');
  refuse('text.verbosity', text?.verbosity);
  refuse('reasoning.effort', reasoning?.effort);
  refuse('reasoning.summary', reasoning?.summary);
}

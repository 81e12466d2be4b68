import { fieldIssue, type OrderedJson, parseOrderedJson, stringifyOrderedJson } from '@errand/platform';

/** A message of JSON-RPC, with the arguments of a call of a tool as they were sent. */
interface ReadMessage {
  message: { method?: unknown; id?: unknown; [field: string]: unknown };
  argumentsJson: string;
}

/** Reads the one message of a request. Throws `malformed_json`, and `invalid_request` for several or none. */
export function readMessage(text: string): ReadMessage {
  const { value, issue } = parseOrderedJson(text);
  if (issue) throw fieldIssue(issue.field, issue.problem);
  if (!(value instanceof Map)) throw fieldIssue('', 'must be one message: this protocol has no batches');
  const params = value.get('params');
  const sent = params instanceof Map ? params.get('arguments') : undefined;
  const given: OrderedJson = sent ?? new Map();
  return {
    message: JSON.parse(text) as ReadMessage['message'],
    argumentsJson: stringifyOrderedJson(given),
  };
}

import {
  checkShape,
  describeIssue,
  fieldIssue,
  issuesOf,
  type OrderedJson,
  parseOrderedJson,
  stringifyOrderedJson,
  validate,
} from '@errand/platform';
import { messageHead, messageParams } from './message-schema.ts';

/** A message of JSON-RPC, with the arguments of a call of a tool as they were sent. */
interface ReadMessage {
  message: { method?: unknown; id?: unknown; params?: unknown; [field: string]: unknown };
  argumentsJson: string;
  /** What is wrong with the parameters of a request, if something is. */
  problem?: string | undefined;
}

/**
 * Reads the one message of a request. Throws `malformed_json`, and `invalid_request` for several or none, or one that no
 * answer could be given to.
 */
export function readMessage(text: string): ReadMessage {
  const { value, plain, issue } = parseOrderedJson(text);
  if (issue) throw fieldIssue(issue.field, issue.problem);
  if (!(value instanceof Map)) throw fieldIssue('', 'must be one message: this protocol has no batches');
  const params = value.get('params');
  const sent = params instanceof Map ? params.get('arguments') : undefined;
  const given: OrderedJson = sent ?? new Map();
  const message = plain as ReadMessage['message'];
  validate(messageHead, message);
  const problem = wrongParams(message.params);
  if (problem !== undefined && (message.id ?? null) === null) throw fieldIssue('', problem);
  return { message, argumentsJson: stringifyOrderedJson(given), problem };
}

function wrongParams(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  const { success, issues } = checkShape(messageParams, params);
  const [first] = success ? [] : issuesOf(issues);
  return first && describeIssue({ ...first, field: first.field === '' ? 'params' : `params.${first.field}` });
}

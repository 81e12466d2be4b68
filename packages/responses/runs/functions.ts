import { fieldIssue } from '@errand/platform';
import type { Item } from '../request/schema.ts';

const read = ['type', 'name', 'description', 'parameters', 'strict'];

export const isFunction = ({ type }: Item): boolean => type === 'function';

/** The caller's functions among the tools of a request, as a run's creation takes them. Throws `invalid_request`. */
export const toRunFunctions = (tools: readonly Item[]): object[] =>
  tools.flatMap((tool, index) => (isFunction(tool) ? [toFunction(tool, `tools[${index}]`)] : []));

function toFunction({ type: _, ...tool }: Item, at: string): object {
  const given = Object.entries(tool).filter(([, value]) => (value ?? null) !== null);
  const other = given.find(([field]) => !read.includes(field));
  if (other) throw fieldIssue(`${at}.${other[0]}`, 'is not taken by runs');
  return Object.fromEntries(given);
}

import { DomainError, fieldIssue, isDomainError } from '@errand/platform';
import type { Item } from '../request/schema.ts';

/** The names that a run has for the fields of a server. */
const runFields = {
  server_label: 'label',
  server_url: 'url',
  authorization: 'authorization',
  allowed_tools: 'allowedTools',
} as const;

/** What a server has tools for, in the caller's words, changes nothing: its tools say it themselves. */
const ignored = ['server_description'];
const read: readonly string[] = ['type', 'require_approval', ...ignored, ...Object.keys(runFields)];

export const isServer = ({ type }: Item): boolean => type === 'mcp';

/** The servers that a request names among its tools, as a run's creation takes them. Throws `invalid_request`. */
export const toRunServers = (tools: readonly Item[]): object[] =>
  tools.flatMap((tool, index) => (isServer(tool) ? [toServer(tool, `tools[${index}]`)] : []));

function toServer(tool: Item, at: string): object {
  const isGiven = (field: string) => (tool[field] ?? null) !== null;
  const other = Object.keys(tool).find((field) => !read.includes(field) && isGiven(field));
  if (other !== undefined) throw fieldIssue(`${at}.${other}`, 'is not taken by runs');
  if (isGiven('require_approval') && tool.require_approval !== 'never')
    throw fieldIssue(`${at}.require_approval`, 'must be never: a run asks nobody before a call');
  for (const field of ['server_label', 'server_url', 'authorization']) {
    if (!isGiven(field) && field !== 'authorization') throw fieldIssue(`${at}.${field}`, 'is required');
    if (isGiven(field) && typeof tool[field] !== 'string')
      throw fieldIssue(`${at}.${field}`, 'must be a string');
  }
  if (isGiven('allowed_tools') && !Array.isArray(tool.allowed_tools))
    throw fieldIssue(`${at}.allowed_tools`, 'must be a list of names');
  const given = Object.entries(runFields).filter(([field]) => isGiven(field));
  return Object.fromEntries(given.map(([field, name]) => [name, tool[field]]));
}

/** An error about `mcp[0].url` as one about the tool that it was read from. Any other error as it is. */
export function inWordsOfTools(error: unknown, tools: readonly Item[] | null | undefined): unknown {
  if (!isDomainError(error, 'invalid_request')) return error;
  const places = (tools ?? []).flatMap((tool, index) => (isServer(tool) ? [index] : []));
  const names = Object.entries(runFields);
  const issues = error.details.issues.map(({ field, problem }) => {
    const [, index, name, rest = ''] = /^mcp\[(\d+)\](?:\.(\w+))?(.*)$/.exec(field) ?? [];
    if (index === undefined) return { field, problem };
    const own = names.find(([, runName]) => runName === name)?.[0];
    return { field: `tools[${places[Number(index)]}]${own ? `.${own}` : ''}${rest}`, problem };
  });
  return new DomainError('invalid_request', { issues });
}

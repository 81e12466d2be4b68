import { DomainError, fieldIssue, isDomainError } from '@errand/platform';
import type { Item } from '../request/schema.ts';
import { isFunction } from './functions.ts';
import { toApprove } from './require-approval.ts';

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

/** The names of tools that need approval, of all servers. Throws `invalid_request`. */
export const toApproveNames = (tools: readonly Item[]): string[] =>
  tools.flatMap((tool, index) =>
    isServer(tool) ? toApprove(tool, allowedOf(tool), `tools[${index}].require_approval`) : [],
  );

function toServer(tool: Item, at: string): object {
  const isGiven = (field: string) => (tool[field] ?? null) !== null;
  const other = Object.keys(tool).find((field) => !read.includes(field) && isGiven(field));
  if (other !== undefined) throw fieldIssue(`${at}.${other}`, 'is not taken by runs');
  for (const field of ['server_label', 'server_url', 'authorization']) {
    if (!isGiven(field) && field !== 'authorization') throw fieldIssue(`${at}.${field}`, 'is required');
    if (isGiven(field) && typeof tool[field] !== 'string')
      throw fieldIssue(`${at}.${field}`, 'must be a string');
  }
  if (isGiven('allowed_tools') && !allowedOf(tool))
    throw fieldIssue(`${at}.allowed_tools`, 'must be a list of names');
  const named: Item = { ...tool, allowed_tools: allowedOf(tool) };
  const given = Object.entries(runFields).filter(([field]) => isGiven(field));
  return Object.fromEntries(given.map(([field, name]) => [name, named[field]]));
}

/** OpenAI has the list alone, and as `tool_names`. */
function allowedOf({ allowed_tools: allowed }: Item): unknown[] | undefined {
  const { tool_names, ...others } = Array.isArray(allowed)
    ? { tool_names: allowed }
    : (Object(allowed) as Item);
  return Array.isArray(tool_names) && Object.keys(others).length === 0 ? tool_names : undefined;
}

/** An error about `mcp[0].url` or `functions[0]` as one about the tool that it was read from. Any other error as it is. */
export function inWordsOfTools(error: unknown, tools: readonly Item[] | null | undefined): unknown {
  if (!isDomainError(error, 'invalid_request')) return error;
  const placesOf = (isMeant: (tool: Item) => boolean) =>
    (tools ?? []).flatMap((tool, index) => (isMeant(tool) ? [index] : []));
  const places = { mcp: placesOf(isServer), functions: placesOf(isFunction) };
  const names = Object.entries(runFields);
  const issues = error.details.issues.map(({ field, problem }) => {
    const [, kind, index, name, rest = ''] = /^(mcp|functions)\[(\d+)\](?:\.(\w+))?(.*)$/.exec(field) ?? [];
    if (kind === undefined) return { field, problem };
    const own = kind === 'functions' ? name : names.find(([, runName]) => runName === name)?.[0];
    const place = places[kind as keyof typeof places][Number(index)];
    return { field: `tools[${place}]${own ? `.${own}` : ''}${rest}`, problem };
  });
  return new DomainError('invalid_request', { issues });
}

import { fieldIssue } from '@errand/platform';
import type { Item } from '../request/schema.ts';

const shape = 'must be always, never or { always: { tool_names }, never: { tool_names } }';

/** The tools of a server whose calls need approval, as `approve` of a run names them. Throws `invalid_request`. */
export function toApprove(tool: Item, allowed: readonly unknown[] | undefined, at: string): string[] {
  const { require_approval: rule, server_label: label } = tool;
  if ((rule ?? 'never') === 'never') return [];
  if (rule === 'always') return [`${label}__*`];
  const { always, never, ...others } = readFilters(rule, at);
  if (Object.keys(others).length > 0 || (!always && !never)) throw fieldIssue(at, shape);
  const offered = (names: readonly string[]) => names.filter((name) => !allowed || allowed.includes(name));
  const asked = always ? readNames(always, at) : [];
  const named = offered(asked).map((name) => `${label}__${name}`);
  if (!never) return named;
  const unasked = readNames(never, at).filter((name) => !asked.includes(name));
  const besides = unasked.includes('*') ? named : [];
  return [`${label}__*`, ...besides, ...offered(unasked).map((name) => `!${label}__${name}`)];
}

function readFilters(rule: unknown, at: string): Item {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) throw fieldIssue(at, shape);
  return Object.fromEntries(Object.entries(rule).filter(([, filter]) => (filter ?? null) !== null));
}

function readNames(filter: unknown, at: string): string[] {
  const { tool_names: names, ...others } = Object(filter) as Item;
  const isOther = Object.values(others).some((value) => (value ?? null) !== null);
  if (isOther || !Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw fieldIssue(at, 'must name tools by tool_names, and by nothing else');
  return names;
}

import { fieldIssue } from '@errand/platform';
import type { Item } from '../request/schema.ts';

/** The tools of a server whose calls need approval, as `approve` of a run names them. Throws `invalid_request`. */
export function toApprove(tool: Item, allowed: readonly unknown[] | undefined, at: string): string[] {
  const { require_approval: rule, server_label: label } = tool;
  if ((rule ?? 'never') === 'never') return [];
  if (rule === 'always') return [`${label}__*`];
  const { always, never, ...others } = readFilters(rule, at);
  if (Object.keys(others).length > 0 || (!always && !never))
    throw fieldIssue(at, 'must be always, never or { always: { tool_names }, never: { tool_names } }');
  const named = always ? readNames(always, at) : [];
  const rest = never ? allBut(readNames(never, at), allowed, at) : [];
  return [...new Set([...named, ...rest])].map((name) => `${label}__${name}`);
}

function readFilters(rule: unknown, at: string): Item {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    throw fieldIssue(at, 'must be always, never or { always, never }');
  return Object.fromEntries(Object.entries(rule).filter(([, filter]) => (filter ?? null) !== null));
}

function readNames(filter: unknown, at: string): string[] {
  const { tool_names: names, ...others } = Object(filter) as Item;
  const isOther = Object.values(others).some((value) => (value ?? null) !== null);
  if (isOther || !Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw fieldIssue(at, 'must name tools by tool_names, and by nothing else');
  return names;
}

/** `approve` names tools, and nobody knows before the run which others a server has. */
function allBut(never: readonly string[], allowed: readonly unknown[] | undefined, at: string): unknown[] {
  if (never.length === 0) return ['*'];
  if (!allowed) throw fieldIssue(at, 'needs allowed_tools beside never: all others of them are asked about');
  return allowed.filter((name) => !never.some((one) => one === name));
}

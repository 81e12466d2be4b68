import { mayUseModel } from '@errand/accounts';
import { investigateName, nameableTools, ownToolNames } from '@errand/agent';
import { readApprove } from '@errand/agents';
import { roleModel } from '@errand/models';
import { fieldIssue, limits, type Principal } from '@errand/platform';
import type { CreateRunDeps } from '../deps.ts';
import type { CreateRunBody } from '../schema.ts';

const serversOf = ({
  mcp = [],
}: Pick<CreateRunBody, 'mcp'>): { label: string; allowedTools?: readonly string[] }[] =>
  mcp.map((server) => (typeof server === 'string' ? { label: server } : server));

/** Throws `invalid_request` for functions that another tool of the run may be taken for, and for more than a model is told of. */
export function checkFunctions(body: CreateRunBody): void {
  const { functions = [], effort } = body;
  const ownNames = effort === 'high' ? [...ownToolNames, investigateName] : ownToolNames;
  const servers = serversOf(body);
  const names = new Set<string>();
  for (const [index, { name }] of functions.entries()) {
    const isTaken = names.has(name) || ownNames.some((own) => own === name);
    if (isTaken || servers.some(({ label }) => name.startsWith(`${label}__`)))
      throw fieldIssue(`functions[${index}].name`, 'is the name of another tool of the run');
    names.add(name);
  }
  const bytes = Buffer.byteLength(JSON.stringify(functions));
  if (bytes > limits.functionDefinitionsBytes)
    throw fieldIssue('functions', `must have at most ${limits.functionDefinitionsBytes} bytes in all`);
}

/** `label__*`, or a name that a tool of the server can have. */
function isToolOf(
  { label, allowedTools }: { label: string; allowedTools?: readonly string[] },
  name: string,
) {
  if (!name.startsWith(`${label}__`)) return false;
  const own = name.slice(label.length + 2);
  return own === '*' || (/^[\w-]+$/.test(own) && (!allowedTools || allowedTools.includes(own)));
}

/** Throws `invalid_request` for a name that no tool of the run can have: a call of the tool that was meant would be made unasked. */
export function checkApprove(
  { catalogue }: Pick<CreateRunDeps, 'catalogue'>,
  principal: Principal,
  body: Pick<CreateRunBody, 'approve' | 'mcp'>,
): void {
  const approve = readApprove(body);
  if (!approve) return;
  const servers = serversOf(body);
  for (const name of [...approve.names, ...approve.except]) {
    if (nameableTools.some((tool) => tool === name)) continue;
    if (!servers.some((server) => isToolOf(server, name)))
      throw fieldIssue('approve', `names no tool of the run: ${name}`);
  }
  if (!approve.isJudged) return;
  const judge = roleModel(catalogue, 'decision');
  if (!judge || !mayUseModel(principal, judge.id))
    throw fieldIssue('approve', 'needs a decision model for "auto", and this run has none');
}

import { checkRoute, mayUse, mayUseAgent } from '@errand/accounts';
import { defaultAgent } from '@errand/agents';
import {
  answerOf,
  DomainError,
  describeError,
  internalError,
  isAwsTrouble,
  type Principal,
  plainErrors,
  requestLog,
  validate,
} from '@errand/platform';
import type { McpDeps } from './deps.ts';
import { wordsOf } from './errors.ts';
import type { McpTool, ToolCall } from './tool.ts';
import { findAgentTool, listAgentTools } from './tools/agents.ts';
import { ask, mcpTools } from './tools/index.ts';

/** A result of `tools/call`. */
interface CallResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  [key: string]: unknown;
}

/** The tools that this deployment has and this key may use, without those of stored agents. */
const ownTools = (deps: McpDeps, principal: Principal): McpTool[] =>
  mcpTools.filter(
    (tool) =>
      tool.isOffered(deps) &&
      mayUse(principal, tool.family) &&
      (tool !== ask || mayUseAgent(principal, defaultAgent)),
  );

const hasAgents = (deps: McpDeps, principal: Principal): boolean =>
  ask.isOffered(deps) && mayUse(principal, ask.family);

/** The tools that this deployment has and this key may use. */
export const offeredTools = async (deps: McpDeps, principal: Principal): Promise<McpTool[]> => [
  ...ownTools(deps, principal),
  ...(hasAgents(deps, principal) ? await listAgentTools(deps, principal) : []),
];

/** The tool of this name, if the key may use it. */
export const findTool = (deps: McpDeps, principal: Principal, name: string): McpTool | undefined =>
  ownTools(deps, principal).find((tool) => tool.name === name) ??
  (hasAgents(deps, principal) ? findAgentTool(principal, name) : undefined);

/** Calls a tool. A refusal or a failure is a result, which the model can act on. */
export async function callTool(tool: McpTool, args: unknown, call: ToolCall): Promise<CallResult> {
  try {
    checkRoute(call.c.var.principal, tool.family);
    call.c.var.door.enterFor(tool.family);
    const { text, data } = await tool.run(validate(tool.arguments, args), call);
    return {
      content: [{ type: 'text', text }],
      structuredContent: data,
      ...(data.status === 'failed' && { isError: true }),
    };
  } catch (error) {
    return { content: [{ type: 'text', text: wordsOfFailure(tool, call, error) }], isError: true };
  }
}

function wordsOfFailure(tool: McpTool, { deps, c }: ToolCall, error: unknown): string {
  if (error instanceof DomainError) return wordsOf(answerOf(tool.errors, error).body);
  requestLog(c, deps.log).error('tool failed', { tool: tool.name, ...describeError(error) });
  return wordsOf(
    isAwsTrouble(error) ? plainErrors.store_unavailable(undefined).body : (internalError.body as object),
  );
}

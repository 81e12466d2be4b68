import { mayUseAgent } from '@errand/accounts';
import { type AgentSummary, defaultAgent, readAgentReference, usableAgents } from '@errand/agents';
import { limits, type Principal } from '@errand/platform';
import { createRunSchema, getRun } from '@errand/runs';
import * as v from 'valibot';
import type { McpDeps } from '../deps.ts';
import { defineTool, type McpTool } from '../tool.ts';
import { agentToolName, agentToolPrefix as prefix } from '../tool-names.ts';
import { ask, startAsked } from './ask.ts';
import { waitField } from './wait-field.ts';

const { question, documentUrl, audioUrl, maxCredits, previousRunId, approvals } = createRunSchema.entries;

/** What any agent leaves to its runs. Any other field is refused, so that none is thought to hold. */
const agentArguments = v.pipe(
  v.strictObject({
    question,
    documentUrl,
    audioUrl,
    maxCredits,
    previousRunId,
    approvals,
    waitSeconds: waitField,
  }),
  v.forward(
    v.check(({ question, previousRunId }) => (question ?? previousRunId) !== undefined, 'is required'),
    ['question'],
  ),
);

const waits =
  'It may take minutes. If the answer is not there in time, the result has the id of the run: call get_run with it.';

const agentTool = ({ name, description }: Pick<AgentSummary, 'name' | 'description'>): McpTool =>
  defineTool({
    ...ask,
    name: agentToolName(name),
    title: name,
    description: `${description || `Has the agent ${name} work on a question.`}\n\n${waits}`,
    arguments: agentArguments,
    async run(args, call) {
      const { deps, c } = call;
      const { previousRunId: before } = args;
      // A run that goes on from one of the agent's own keeps its version.
      const followed = before === undefined ? undefined : await getRun(deps.runs, c.var.principal, before);
      return startAsked({ ...args, ...(followed?.agent?.name !== name && { agent: name }) }, call);
    },
  });

/** A tool for each agent that the key may use. None is called `default`, whose tool is ask. */
export async function listAgentTools({ runs }: McpDeps, principal: Principal): Promise<McpTool[]> {
  const agents = await usableAgents(runs.agents, principal);
  return agents.slice(0, limits.mcpAgentTools).map(agentTool);
}

/** The tool of this name if it can be that of an agent that the key may use. Whether there is such an agent is seen when it is called. */
export function findAgentTool(principal: Principal, toolName: string): McpTool | undefined {
  if (!toolName.startsWith(prefix)) return undefined;
  const reference = readAgentReference(toolName.slice(prefix.length));
  if (!reference || reference.version !== undefined || reference.name === defaultAgent) return undefined;
  const { name } = reference;
  return mayUseAgent(principal, name) ? agentTool({ name, description: '' }) : undefined;
}

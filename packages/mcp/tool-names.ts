export const agentToolPrefix = 'agent_';

/** The tool that has this stored agent work on a question. */
export const agentToolName = (agent: string): string => `${agentToolPrefix}${agent}`;

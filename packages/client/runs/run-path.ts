export const runsPath = '/v1/agents/runs';

export const runPath = (agentId: string): string => `${runsPath}/${encodeURIComponent(agentId)}`;

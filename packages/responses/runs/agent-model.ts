/** The model whose responses are runs. */
export const agentModel = 'agent:default';

export const isAgent = (model: string): boolean => model.startsWith('agent:');

/** The public clients that are tried, in the order of the page: their package, the folder of their tests, what runs them. */
export const clients = [
  { name: 'openai', folder: 'openai' },
  { name: '@ai-sdk/openai', folder: 'ai-sdk-openai', with: 'ai' },
  { name: '@ai-sdk/openai-compatible', folder: 'ai-sdk-openai-compatible', with: 'ai' },
  { name: '@langchain/openai', folder: 'langchain-openai', with: '@langchain/core' },
  { name: '@openai/agents', folder: 'openai-agents' },
  { name: 'openai-streams', folder: 'openai-streams' },
  { name: '@anthropic-ai/sdk', folder: 'anthropic-sdk' },
  { name: '@ai-sdk/anthropic', folder: 'ai-sdk-anthropic', with: 'ai' },
  { name: '@langchain/anthropic', folder: 'langchain-anthropic', with: '@langchain/core' },
  { name: '@typesafe-ai/sdk', folder: 'typesafe-ai-sdk' },
  { name: 'eventsource', folder: 'eventsource' },
] as const satisfies readonly { name: string; folder: string; with?: string }[];

export type ClientName = (typeof clients)[number]['name'];

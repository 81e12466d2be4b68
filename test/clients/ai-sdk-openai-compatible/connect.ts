import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

// Without `supportsStructuredOutputs`, the client leaves the schema of an object out.
export const connect = (errand: string, apiKey: string) =>
  createOpenAICompatible({
    name: 'errand',
    baseURL: `${errand}/v1`,
    apiKey,
    supportsStructuredOutputs: true,
  });

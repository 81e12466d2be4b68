import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

export const connect = (errand: string, apiKey: string) =>
  createOpenAICompatible({ name: 'errand', baseURL: `${errand}/v1`, apiKey });

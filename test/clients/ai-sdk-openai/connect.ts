import { createOpenAI } from '@ai-sdk/openai';

// Models are made by `.chat(id)`: the provider called as a function would ask the Responses API.
export const connect = (errand: string, apiKey: string) => createOpenAI({ baseURL: `${errand}/v1`, apiKey });

import { createOpenAI } from '@ai-sdk/openai';

// `(id)` makes a model of the Responses API, `.chat(id)` one of chat completions.
export const connect = (errand: string, apiKey: string) => createOpenAI({ baseURL: `${errand}/v1`, apiKey });

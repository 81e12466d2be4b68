import OpenAI from 'openai';

export const connect = (errand: string, apiKey: string) => new OpenAI({ baseURL: `${errand}/v1`, apiKey });

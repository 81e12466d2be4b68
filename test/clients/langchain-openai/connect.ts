import { ChatOpenAI } from '@langchain/openai';

export const connect = (errand: string, apiKey: string, model: string) =>
  new ChatOpenAI({ model, apiKey, configuration: { baseURL: `${errand}/v1` } });

import { ChatAnthropic } from '@langchain/anthropic';

export const connect = (errand: string, apiKey: string, model: string) =>
  new ChatAnthropic({ model, apiKey, anthropicApiUrl: errand });

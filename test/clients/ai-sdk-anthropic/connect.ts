import { createAnthropic } from '@ai-sdk/anthropic';

export const connect = (errand: string, apiKey: string) =>
  createAnthropic({ baseURL: `${errand}/v1`, apiKey });

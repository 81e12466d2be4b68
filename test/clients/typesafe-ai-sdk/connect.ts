import { TypeSafeClient } from '@typesafe-ai/sdk';

export const connect = (errand: string, apiKey: string, defaultModel: string) =>
  new TypeSafeClient({ baseURL: errand, apiKey, defaultModel });

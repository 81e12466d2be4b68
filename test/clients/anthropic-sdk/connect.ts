import Anthropic from '@anthropic-ai/sdk';

export const connect = (errand: string, apiKey: string) => new Anthropic({ baseURL: errand, apiKey });

import { OpenAI } from 'openai-streams';

export const chat = (errand: string, apiKey: string, body: { model: string; messages: object[] }) =>
  OpenAI('chat', body, { apiBase: `${errand}/v1`, apiKey });

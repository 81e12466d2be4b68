import { setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';

export function connect(errand: string, apiKey: string) {
  setDefaultOpenAIClient(new OpenAI({ baseURL: `${errand}/v1`, apiKey }));
  setOpenAIAPI('chat_completions');
  // Traces would go to OpenAI.
  setTracingDisabled(true);
}

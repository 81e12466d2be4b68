import { setDefaultOpenAIClient, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';

export function connect(errand: string, apiKey: string) {
  setDefaultOpenAIClient(new OpenAI({ baseURL: `${errand}/v1`, apiKey }));
  // Traces would go to OpenAI.
  setTracingDisabled(true);
}

import { EventSource } from 'eventsource';

export const connect = (errand: string, apiKey: string, agentId: string) =>
  new EventSource(`${errand}/v1/agents/runs/${agentId}/stream`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${apiKey}` } }),
  });

import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Provider, startProvider } from '../support/provider.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/proxy.ts';
import { simpleCatalogue, startTestService, type TestService } from '../support/service.ts';

let provider: Provider;
let service: TestService;
let proxy: CuttingProxy;

beforeAll(async () => {
  provider = await startProvider();
  service = await startTestService({ catalogue: simpleCatalogue(provider.baseUrl) });
  proxy = await startCuttingProxy(service.baseUrl);
});

afterAll(async () => {
  await proxy.close();
  await service.stop();
  await provider.close();
});

const names = ['step_start', 'tool_call', 'tool_result', 'text', 'step_complete', 'done', 'error'];

function follow(agentId: string, onEvent: (id: number) => void): { source: EventSource; ids: number[] } {
  const ids: number[] = [];
  const source = new EventSource(`${proxy.url}/v1/agents/runs/${agentId}/stream`, {
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...init.headers, Authorization: `Bearer ${service.apiKey}` } }),
  });
  for (const name of names)
    source.addEventListener(name, (event) => {
      if (!('lastEventId' in event)) return;
      const id = Number(event.lastEventId);
      ids.push(id);
      onEvent(id);
    });
  return { source, ids };
}

test('the public EventSource client is cut off in the middle, resumes, misses and repeats nothing, and stops', async () => {
  const secondCall = Promise.withResolvers<void>();
  provider.script(async (_, number) => {
    if (number === 1) return { calls: [{ name: 'write_todos', args: { todos: [] } }] };
    await secondCall.promise;
    return { text: 'Resumed.' };
  });
  const agentId = await service.start({ question: 'Follow me' });
  const stopped = Promise.withResolvers<void>();
  const { source, ids } = follow(agentId, (id) => {
    if (id !== 3) return;
    proxy.cut();
    secondCall.resolve();
  });
  source.onerror = () => {
    // After the terminal event the next connection gets a 204, at which an EventSource stops reconnecting.
    if (source.readyState === source.CLOSED) stopped.resolve();
  };
  await stopped.promise;
  const all = await service.follow(agentId);
  expect(ids).toEqual(all.map(({ id }) => id));
  expect(proxy.connections()).toBeGreaterThanOrEqual(2);
});

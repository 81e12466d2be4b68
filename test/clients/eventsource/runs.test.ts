import { expect } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '../../support/proxy.ts';
import { client } from '../support/declare-client.ts';
import type { Errand } from '../support/errand.ts';
import { calls, says } from '../support/speak.ts';
import { connect } from './connect.ts';

const names = ['step_start', 'tool_call', 'tool_result', 'text', 'step_complete', 'done', 'error'];

interface Followed {
  /** The ids of all events, once the client has stopped. */
  ids: Promise<number[]>;
}

/** Follows a run until the client itself stops. */
function follow(url: string, key: string, agentId: string, onEvent: (id: number) => void): Followed {
  const ids: number[] = [];
  const source = connect(url, key, agentId);
  for (const name of names)
    source.addEventListener(name, (event) => {
      if (!('lastEventId' in event)) return;
      ids.push(Number(event.lastEventId));
      onEvent(Number(event.lastEventId));
    });
  const stopped = Promise.withResolvers<number[]>();
  source.onerror = () => {
    // After the terminal event the next connection gets a 204, at which an EventSource stops reconnecting.
    if (source.readyState === source.CLOSED) stopped.resolve(ids);
  };
  return { ids: stopped.promise };
}

/** A run whose second completion waits until it is let go on. */
async function startInTwo({ upstream, service }: Errand): Promise<{ agentId: string; goOn(): void }> {
  const second = Promise.withResolvers<void>();
  upstream.script(calls('write_todos', { todos: [] }), async (wire, request) => {
    await second.promise;
    return says('Resumed.')(wire, request);
  });
  return { agentId: await service.start({ question: 'Follow me' }), goOn: second.resolve };
}

const allIds = async ({ service }: Errand, agentId: string) =>
  (await service.follow(agentId)).map(({ id }) => id);

client('eventsource', 'runs', ({ works }) => {
  works('follows a run to its end, and stops', async (errand) => {
    const { agentId, goOn } = await startInTwo(errand);
    goOn();
    const { ids } = follow(errand.url, errand.key, agentId, () => {});
    expect(await ids).toEqual(await allIds(errand, agentId));
  });

  works('is cut off in the middle, resumes, and misses and repeats nothing', async (errand) => {
    const proxy: CuttingProxy = await startCuttingProxy(errand.url);
    const { agentId, goOn } = await startInTwo(errand);
    const { ids } = follow(proxy.url, errand.key, agentId, (id) => {
      if (id !== 3) return;
      proxy.cut();
      goOn();
    });
    expect(await ids).toEqual(await allIds(errand, agentId));
    expect(proxy.connections()).toBeGreaterThanOrEqual(2);
    await proxy.close();
  });
});

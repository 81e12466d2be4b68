import { expect, test } from 'vitest';
import { startProvider } from '../support/provider.ts';
import { simpleCatalogue, startTestService } from '../support/service.ts';
import { call, connectAgent, versions } from './support/agent.ts';

test.each(versions)('%s', async (version) => {
  const provider = await startProvider(() => ({ text: 'Paris' }));
  const service = await startTestService({ catalogue: simpleCatalogue(provider.baseUrl) });
  const client = await connectAgent(service, { version });
  console.log(client.getNegotiatedProtocolVersion?.(), client.getServerVersion());
  console.log(
    JSON.stringify((await client.listTools()).tools.map((t) => [t.name, JSON.stringify(t).length])),
  );
  const seen: unknown[] = [];
  const called = await call(client, 'ask', { question: 'Q?' }, { onprogress: (p) => seen.push(p) });
  console.log(called, seen);
  console.log(await call(client, 'list_skills', {}));
  console.log(await call(client, 'get_run', { agentId: 'x' }));
  expect(called.isError).toBe(false);
  await client.close();
  await service.stop();
  await provider.close();
});

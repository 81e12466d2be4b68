import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type Cloud, type CloudFunction, startCloud } from '../support/lambda/cloud.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let cloud: Cloud;
let mcp: CloudFunction;
let worker: CloudFunction;

beforeAll(async () => {
  provider = await startProvider();
  cloud = await startCloud(simpleCatalogue(provider.baseUrl));
  mcp = await cloud.start('mcp');
  worker = await cloud.start('worker');
});

afterAll(async () => {
  for (const each of [mcp, worker]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
});

let letGo: () => void;
beforeEach(() => {
  const held = Promise.withResolvers<void>();
  letGo = held.resolve;
  provider.script(async () => {
    await held.promise;
    return { text: 'Forty metres.' };
  });
});

const legacy = { 'MCP-Protocol-Version': '2025-11-25' };

/** A call as an agent sends it that speaks the newest version, or with `headers` the one before. */
function call(name: string, args: object, options: { headers?: object; milliseconds?: number } = {}) {
  const { headers, milliseconds } = options;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const _meta = { progressToken: 'p', ...(headers === undefined && meta) };
  return mcp.request('/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(headers ?? {
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': name,
      }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta },
    }),
    milliseconds,
  });
}

/** The last message of an answer. */
const resultOf = (text: string) =>
  (
    JSON.parse(
      text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? text,
    ) as { result: object }
  ).result;

const work = async () => {
  const { chunks } = worker.invoke(
    { Records: [await cloud.receive()] },
    { milliseconds: functionShapes.worker.timeoutSeconds * 1000 },
  );
  for await (const _ of chunks);
};

test.each([
  ['2026-07-28', undefined],
  ['2025-11-25', legacy],
])("an invocation whose time is up answers an agent that speaks %s with the run's id", async (_, headers) => {
  const milliseconds = limits.invocationEndMilliseconds + 2_000;
  const question = { question: 'How deep is the lake?' };
  const asked = await call('ask', question, { milliseconds, headers });
  const { structuredContent } = resultOf(await asked.text()) as {
    structuredContent: { agentId: string; status: string };
  };
  expect(structuredContent).toMatchObject({ status: 'queued' });
  expect(await asked.failure).toBeUndefined();
  letGo();
  await work();
  const read = await call('get_run', { agentId: structuredContent.agentId });
  expect(resultOf(await read.text())).toMatchObject({ structuredContent: { answer: 'Forty metres.' } });
});

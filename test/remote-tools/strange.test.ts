import type { ServerResponse } from 'node:http';
import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { longestTurn } from '../support/longest-turn.ts';
import { inTurn, type Provider, type ScriptedCall } from '../support/model-server.ts';
import type { RunEvent, TestService } from '../support/service.ts';
import { setLimit } from '../support/set-limit.ts';
import { useService } from '../support/use-service.ts';
import { oneTool, type StrangeServer, startStrangeServer, usualAnswers } from './support/strange-server.ts';

let strange: StrangeServer;
let provider: Provider;
let service: TestService;

beforeAll(async () => {
  strange = await startStrangeServer();
});
useService(
  (started) => ({ provider, service } = started),
  () => ({ env: { FETCH_ALLOWED_HOSTS: strange.host } }),
);

beforeEach(() => {
  for (const method of Object.keys(strange.answers)) delete strange.answers[method];
  Object.assign(strange.answers, usualAnswers);
  strange.seen.length = 0;
});

afterAll(async () => {
  await strange.stop();
});

const server = () => ({ label: 'odd', url: strange.url });

/** The events of a run whose model makes these calls in one turn, and then answers. */
async function eventsOf(calls: ScriptedCall[], fields: object = {}): Promise<RunEvent[]> {
  provider.script(inTurn(calls.length > 0 ? { calls } : { text: 'Done.' }, { text: 'Done.' }));
  const agentId = await service.start({ question: 'Say hello.', mcp: [server()], ...fields });
  return service.follow(agentId);
}

const resultsOf = (events: RunEvent[]) =>
  events.filter(({ type }) => type === 'tool_result').map(({ result }) => String(result));

const say = { name: 'odd__say', args: { text: 'hello' } };

const remoteNames = () =>
  provider.requests[0]?.tools?.map((tool) => tool.function.name).filter((name) => name.startsWith('odd__'));

/** What of all definitions is the server's, in bytes. */
const remoteBytes = () =>
  Buffer.byteLength(
    JSON.stringify(provider.requests[0]?.tools?.filter((tool) => tool.function.name.startsWith('odd__'))),
  );

describe('what a server offers', () => {
  test('with 10,000 tools has the first 64 offered', async () => {
    const inputSchema = { type: 'object' };
    const tools = Array.from({ length: 10_000 }, (_, i) => ({ name: `tool${i}`, inputSchema }));
    strange.answers['tools/list'] = () => ({ tools });
    await eventsOf([]);
    expect(remoteNames()).toEqual(tools.slice(0, 64).map(({ name }) => `odd__${name}`));
  });

  test('with long descriptions has as many tools offered as fit into 32 KB', async () => {
    const tools = Array.from({ length: 20 }, (_, i) => oneTool(`tool${i}`, 'x'.repeat(5_000)));
    strange.answers['tools/list'] = () => ({ tools });
    await eventsOf([]);
    expect(remoteNames()).toHaveLength(6);
    expect(remoteBytes()).toBeLessThan(34_000);
  });

  test('names that collide, or that no provider takes, are left out', async () => {
    const names = ['say', 'say', 'with space', 'ä', 'x'.repeat(60), 'ok'];
    strange.answers['tools/list'] = () => ({ tools: names.map((name) => oneTool(name)) });
    const events = await eventsOf([]);
    expect(remoteNames()).toEqual(['odd__say', 'odd__ok']);
    expect(resultsOf(events)).toEqual([expect.stringMatching(/^4 of the 6 tools that the server odd lists/)]);
    expect(provider.requests[0]?.messages[1]?.content).toContain(resultsOf(events)[0]);
  });

  test('only the allowed tools are offered, and `tools` is for those of the run alone', async () => {
    strange.answers['tools/list'] = () => ({ tools: [oneTool('say'), oneTool('delete')] });
    await eventsOf([], { tools: [], mcp: [{ ...server(), allowedTools: ['say'] }] });
    expect(provider.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      'request_input',
      'odd__say',
      'confirm_answer',
    ]);
  });

  test('without an end is read for 20 pages', async () => {
    let page = 0;
    strange.answers['tools/list'] = () => ({ tools: [oneTool(`tool${page++}`)], nextCursor: `${page}` });
    await eventsOf([]);
    expect(remoteNames()).toHaveLength(20);
    expect(strange.seen.filter(({ method }) => method === 'tools/list')).toHaveLength(20);
  });
});

describe('a long list', () => {
  const inputSchema = { type: 'object', properties: { a: {} } };
  const tools = Array.from({ length: 10_000 }, (_, i) => ({ name: `tool${i}`, inputSchema }));

  test('without an end, of 10,000 tools a page, holds up nothing else', async () => {
    let page = 0;
    strange.answers['tools/list'] = () => ({ tools, nextCursor: `${page++}` });
    expect(await longestTurn(() => eventsOf([]))).toBeLessThan(200);
    expect(page).toBe(1);
    expect(remoteNames()).toHaveLength(64);
  });

  test('with entries that are no tools has the others offered', async () => {
    strange.answers['tools/list'] = () => ({ tools: [null, { name: 1 }, { name: 'no' }, oneTool('say')] });
    await eventsOf([]);
    expect(remoteNames()).toEqual(['odd__say']);
  });
});

describe('a server that is wrong is a result that the model reads', () => {
  const listTools = { name: 'odd__list_tools', args: {} };
  const failing: Record<string, [(response: ServerResponse) => void, RegExp]> = {
    'a 401': [(response) => response.writeHead(401).end(), /^Error: .*refuses the authorization.*401/],
    'a 500': [(response) => response.writeHead(500).end('secret words'), /^Error: .*500/],
    'a redirect': [
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      /^Error: .*redirects are not followed/,
    ],
    nonsense: [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
      /^Error: .*does not answer as a server of tools/,
    ],
    'a broken connection': [(response) => response.destroy(), /^Error: .*connection/],
  };
  for (const [name, [answer, expected]] of Object.entries(failing)) {
    test(`${name} to the first request`, async () => {
      for (const method of ['initialize', 'server/discover'])
        strange.answers[method] = (_, response) => {
          answer(response);
          return undefined;
        };
      const events = await eventsOf([listTools]);
      expect(resultsOf(events)).toEqual([expect.stringMatching(expected), expect.stringMatching(expected)]);
      expect(events.slice(0, 3)).toMatchObject([
        { type: 'step_start', step: 1 },
        { type: 'tool_call', toolName: 'odd__list_tools' },
        { type: 'tool_result', toolName: 'odd__list_tools' },
      ]);
      expect(provider.requests[0]?.messages[1]?.content).toContain(resultsOf(events)[0]);
      expect(events.at(-1)?.type).toBe('done');
      expect(remoteNames()).toEqual(['odd__list_tools']);
    });

    test(`${name} to a call`, async () => {
      strange.answers['tools/call'] = (_, response) => {
        answer(response);
        return undefined;
      };
      const events = await eventsOf([say]);
      expect(resultsOf(events)).toEqual([expect.stringMatching(expected)]);
      expect(events.at(-1)?.type).toBe('done');
    });
  }

  test.each<[string, (response: ServerResponse) => void]>([
    ['breaks the connection', (response) => response.destroy()],
    ['answers 502', (response) => response.writeHead(502).end()],
    ['takes the call, and answers nothing', (response) => response.writeHead(202).end()],
    ['answers nonsense', failing.nonsense![0]],
  ])(
    'a call of a tool that acts is sent once where the server %s, and may have been carried out',
    async (_, answer) => {
      strange.answers['tools/call'] = (_, response) => {
        answer(response);
        return undefined;
      };
      const [result] = resultsOf(await eventsOf([say]));
      expect(result).toMatch(/^Error: The server odd could not be asked: .*may have been carried out/);
      expect(strange.seen.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    },
  );

  test.each<[string, (response: ServerResponse) => void]>([
    ['an empty 202', (response) => response.writeHead(202).end()],
    ['a 202 without an end', (response) => response.writeHead(202).flushHeaders()],
    [
      'a stream of nothing',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    ],
    [
      'a stream of comments without an end',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': nothing\n\n'),
    ],
    [
      'JSON without an end',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
    ['nothing at all', () => {}],
  ])(
    'a server that has %s for a request that it does not know holds up a run for less than two seconds',
    async (_, silent) => {
      expect(limits.remoteProbeMilliseconds).toBeLessThan(2_000);
      // A run that waited for the list's own limit would not end in time.
      setLimit('remoteListMilliseconds', 3_600_000);
      strange.answers['server/discover'] = (_message, response) => {
        silent(response);
        return undefined;
      };
      expect(resultsOf(await eventsOf([say]))).toEqual([expect.stringContaining('You said')]);
    },
  );

  test.each([401, 503])(
    'a server that is silent at first and then answers %i is told so, and is not asked twice',
    async (status) => {
      setLimit('remoteProbeMilliseconds', 100);
      strange.answers['server/discover'] = () => undefined;
      strange.answers.initialize = (_, response) => void response.writeHead(status).end();
      expect(resultsOf(await eventsOf([]))[0]).toContain(`${status}`);
      expect(strange.seen.filter(({ method }) => method === 'server/discover')).toHaveLength(1);
    },
  );

  test('a server of the newest version alone that is only starting is asked for its version again', async () => {
    // A busy machine has time for the second answer.
    setLimit('remoteProbeMilliseconds', 1_500);
    const newest = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    let asked = 0;
    strange.answers['server/discover'] = () => {
      if (++asked === 1) return undefined;
      return {
        ...newest,
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        serverInfo: { name: 'new', version: '1' },
      };
    };
    for (const method of ['tools/list', 'tools/call'])
      strange.answers[method] = (...asked) => ({ ...newest, ...usualAnswers[method]?.(...asked) });
    strange.answers.initialize = (_, response) => void response.writeHead(400).end();
    expect(resultsOf(await eventsOf([say]))).toEqual([expect.stringContaining('You said')]);
    expect(asked).toBe(2);
  });

  test('a tool that fails tells why, as material from outside', async () => {
    strange.answers['tools/call'] = () => ({
      isError: true,
      content: [{ type: 'text', text: 'No such thing.' }],
    });
    expect(resultsOf(await eventsOf([say]))).toEqual(['Error: The tool failed: No such thing.']);
    expect(provider.requests[1]?.messages.at(-1)?.content).toMatch(/^<outside_material/);
  });

  test('an answer of 100 MB is not read to its end, as one text or as a stream', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      let sent = 0;
      strange.answers['tools/call'] = (_, response) => {
        response.writeHead(200, { 'content-type': type });
        const chunk = 'x'.repeat(100_000);
        const write = () => {
          while (sent < 100_000_000 && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(sent === chunk.length ? `data: ${chunk}` : chunk)) {
              response.once('drain', write);
              return;
            }
          }
        };
        write();
        return undefined;
      };
      expect(resultsOf(await eventsOf([say]))).toEqual([expect.stringMatching(/^Error: .*larger than 1 MB/)]);
      expect(sent).toBeLessThan(20_000_000);
    }
  });

  test('a stream without an end does not hold up what else the turn calls, nor the end of the run', async () => {
    strange.answers['tools/call'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': waiting\n\n');
      return undefined;
    };
    provider.script(inTurn({ calls: [say] }, { text: 'Done.' }));
    const agentId = await service.start({ question: 'Say hello.', mcp: [server()] });
    await expect.poll(() => strange.seen.some(({ method }) => method === 'tools/call')).toBe(true);
    const cancelled = await service.post(`/v1/agents/runs/${agentId}/cancel`, {});
    expect(cancelled.status).toBeLessThan(300);
    expect((await service.follow(agentId)).at(-1)).toMatchObject({ type: 'error', message: 'Cancelled' });
  });

  const ping = (i: number) => ({ jsonrpc: '2.0', id: `p${i}`, method: 'ping' });
  const enough = { content: [{ type: 'text', text: 'Enough.' }] };

  test('a server that sends thousands of requests back gets few answers at once, and the call still has its result', async () => {
    let most = 0;
    strange.answers['tools/call'] = ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        Array.from({ length: 5_000 }, (_, i) => `data: ${JSON.stringify(ping(i))}\n\n`).join(''),
      );
      most = strange.seen.length;
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: enough })}\n\n`);
      return undefined;
    };
    let results: string[] = [];
    const longest = await longestTurn(async () => {
      results = resultsOf(await eventsOf([say]));
    });
    expect(results).toEqual(['Enough.']);
    expect(strange.seen.length - most).toBeLessThan(500);
    expect(longest).toBeLessThan(100);
  });

  test.each<[string, (id: unknown) => object]>([
    [
      'thousands of requests in one answer',
      (id) => [...Array.from({ length: 10_000 }, (_, i) => ping(i)), { jsonrpc: '2.0', id, result: enough }],
    ],
    [
      'thousands of parts that are none',
      (id) => ({ jsonrpc: '2.0', id, result: { content: [...Array(90_000).fill({}), ...enough.content] } }),
    ],
  ])('a server that sends %s holds up nothing else, and the call still has its result', async (_, answer) => {
    strange.answers['tools/call'] = ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(id)));
      return undefined;
    };
    let results: string[] = [];
    const longest = await longestTurn(async () => {
      results = resultsOf(await eventsOf([say]));
    });
    expect(results).toEqual(['Enough.']);
    expect(longest).toBeLessThan(100);
  });

  test('a stream that asks again and again to be resumed at once is resumed once a second', async () => {
    const resumed: number[] = [];
    const end = (response: ServerResponse) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`id: ${resumed.length}\nretry: 0\ndata: \n\n`);
    strange.answers.GET = (_, response) => {
      resumed.push(performance.now());
      end(response);
      return undefined;
    };
    strange.answers['tools/call'] = (_, response) => {
      end(response);
      return undefined;
    };
    provider.script(inTurn({ calls: [say] }, { text: 'Done.' }));
    const agentId = await service.start({ question: 'Say hello.', mcp: [server()] });
    await expect.poll(() => resumed.length).toBeGreaterThan(2);
    await service.post(`/v1/agents/runs/${agentId}/cancel`, {});
    expect(resumed[2]! - resumed[0]!).toBeGreaterThan(1_900);
  });

  /** Sessions of which the server forgets the first with its first call. */
  function forgetful() {
    let sessions = 0;
    strange.answers.initialize = ({ id }, response) => {
      const headers = { 'content-type': 'application/json', 'mcp-session-id': `session-${++sessions}` };
      const result = usualAnswers.initialize?.({ method: 'initialize' }, response);
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      return undefined;
    };
    strange.answers['tools/call'] = (_, response) => {
      if (sessions > 1) return { content: [{ type: 'text', text: 'Here again.' }] };
      response.writeHead(404).end();
      return undefined;
    };
  }

  const sessionsCalled = () =>
    strange.seen
      .filter(({ method }) => method === 'tools/call')
      .map(({ headers }) => headers['mcp-session-id']);

  test('a session that the server has forgotten begins anew, and a call that only reads is made in it', async () => {
    forgetful();
    strange.answers['tools/list'] = () => ({ tools: [oneTool('say', 'Says it.', { readOnlyHint: true })] });
    expect(resultsOf(await eventsOf([say]))).toEqual(['Here again.']);
    expect(sessionsCalled()).toEqual(['session-1', 'session-2']);
  });

  test('a session that the server has forgotten begins anew with the next call of a tool that acts', async () => {
    forgetful();
    provider.script(inTurn({ calls: [say] }, { calls: [say] }, { text: 'Done.' }));
    const agentId = await service.start({ question: 'Say hello.', mcp: [server()] });
    expect(resultsOf(await service.follow(agentId))).toEqual([
      expect.stringMatching(/^Error: .*forgotten the session of this run, and has not made the call/),
      'Here again.',
    ]);
    expect(sessionsCalled()).toEqual(['session-1', 'session-2']);
  });

  test('a server without sessions that answers 404 is asked again by the next call', async () => {
    let calls = 0;
    strange.answers['tools/call'] = (_, response) => {
      if (++calls > 1) return { content: [{ type: 'text', text: 'Here again.' }] };
      response.writeHead(404).end();
      return undefined;
    };
    provider.script(inTurn({ calls: [say] }, { calls: [say] }, { text: 'Done.' }));
    const agentId = await service.start({ question: 'Say hello.', mcp: [server()] });
    expect(resultsOf(await service.follow(agentId))).toEqual([
      expect.stringMatching(/^Error: .*404/),
      'Here again.',
    ]);
  });
});

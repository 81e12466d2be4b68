import type { RequestListener } from 'node:http';
import { type Check, checks, createScene, followRun, send, smoke, takeAway } from '@errand/smoke';
import { expect, onTestFinished, test } from 'vitest';
import { command } from './support/command.ts';
import { startHostile } from './support/hostile.ts';

const key = `errand_${'a1B2'.repeat(10)}`;

const named = (name: string): Check => {
  const found = checks.find((each) => each.name === name);
  if (!found) throw new Error(`no check ${name}`);
  return found;
};

async function hostile(answer: RequestListener): Promise<string> {
  const { baseUrl, close } = await startHostile(answer);
  onTestFinished(close);
  return baseUrl;
}

test.each([
  ['the table', 'one of the form of keys', [], key],
  ['the JSON', 'one of another form', ['--json'], 'a key of another form'],
])(
  'a service that echoes its requests gets no key printed in %s, %s, and steers no terminal',
  async (_, __, more, sent) => {
    const baseUrl = await hostile((request, response) => {
      request.resume();
      response.writeHead(500).end(`\u001b[1A\u001b[2Kthe request was ${request.headers.authorization}`);
    });
    const { out, err } = await command([baseUrl, '--only', 'rate', ...more], { ERRAND_API_KEY: sent });
    expect(out).toContain('[1A[2Kthe request was Bearer ***');
    expect(out + err).not.toContain(sent);
    expect(out + err).not.toMatch(/\u001b|\\u001b/);
  },
);

test('a body without an end is read to 8 MB, and fails its check', async () => {
  const baseUrl = await hostile((request, response) => {
    request.resume();
    const write = () => {
      while (response.write(Buffer.alloc(1_000_000, 'x')));
    };
    response.on('drain', write).writeHead(200);
    write();
  });
  const [row] = await smoke(createScene({ baseUrl, key }), [named('health')]);
  expect(row).toMatchObject({ result: 'failed', seen: 'Error the body has more than 8 MB' });
});

test('a body that arrives in drops times out', async () => {
  const baseUrl = await hostile((request, response) => {
    request.resume();
    response.writeHead(200).write(' ');
    const drops = setInterval(() => response.write(' '), 5);
    response.once('close', () => clearInterval(drops));
  });
  const answer = await send(baseUrl, {});
  const read = async () => {
    for await (const { bytes } of answer.pieces(50)) expect(bytes.length).toBeGreaterThan(0);
  };
  await expect(read()).rejects.toThrow('the body has not ended after 0.05 s');
});

test('a stream that always ends before its run does is opened again after a pause', async () => {
  let streams = 0;
  const baseUrl = await hostile((request, response) => {
    request.resume();
    if (request.url?.endsWith('/stream')) {
      streams++;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end();
    } else response.writeHead(200).end('{"status":"running"}');
  });
  const scene = createScene({ baseUrl, key });
  await expect(followRun(scene, 'a', { milliseconds: 1_200 })).rejects.toThrow('still running');
  expect(streams).toBeGreaterThan(0);
  expect(streams).toBeLessThanOrEqual(3);
});

test('a file whose link leads to another host is never requested, not even when the command cleans up', async () => {
  const asked: (string | undefined)[] = [];
  const victim = await hostile((request, response) => {
    asked.push(request.url);
    response.end();
  });
  const scene = createScene({ baseUrl: 'http://127.0.0.1:1', key });
  const call = (type: string, more: object) => ({
    id: 1,
    type,
    at: 0,
    data: JSON.stringify({ type, toolName: 'save_file', ...more }),
  });
  const events = [
    call('tool_call', { input: '{}' }),
    call('tool_result', { result: `${victim}/delete?signature=abc` }),
  ];
  const followed = { events, streams: 1, spread: 0, encoding: undefined };
  await scene.once('saving run', async () => ({ agentId: 'a', followed, values: new Map() }));
  const [row] = await smoke(scene, [named("a saved file's link")]);
  expect(row).toMatchObject({
    result: 'failed',
    seen: expect.stringContaining(`the link begins with ${victim}`),
  });
  await expect(takeAway(scene)).rejects.toThrow('may be left');
  expect(asked).toEqual([]);
});

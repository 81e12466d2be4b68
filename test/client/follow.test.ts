import {
  ConnectionError,
  createErrand,
  type Errand,
  type Reconnect,
  type RunEvent,
  UnauthorizedError,
} from '@errand/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';
import { type HeldWait, holdWait } from './support/held-wait.ts';

let server: ScriptedUpstream;
let held: HeldWait;
let errand: Errand;

beforeAll(async () => {
  server = await startUpstream();
});
afterAll(() => server.close());
beforeEach(() => {
  held = holdWait();
  errand = createErrand({ baseUrl: server.baseUrl, apiKey: 'sk-key', wait: held.wait });
});

const text = (id: number) => `id: ${id}\nevent: text\ndata: {"type":"text","text":"${id}"}\n\n`;
const done = (id: number) => `id: ${id}\nevent: done\ndata: {"type":"done","finalText":"${id}"}\n\n`;

/** A stream of these pieces that the service ends in good order. */
const stream =
  (...pieces: string[]): UpstreamScript =>
  async (wire) => {
    await wire.head();
    await wire.send(...pieces);
    wire.end();
  };

const refuse =
  (status: number, headers: Record<string, string> = {}): UpstreamScript =>
  (wire) =>
    wire.json(status, { error: 'No.' }, headers);

const idsOf = async (events: AsyncIterable<RunEvent>): Promise<number[]> => {
  const ids: number[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
};

const askedFrom = () => server.requests.map(({ headers }) => headers['last-event-id']);

describe('a stream of a run', () => {
  test('that is cut in the middle of an event is resumed after the last whole one', async () => {
    server.script(stream(text(1), text(2), text(3).slice(0, -9)), stream(text(3), done(4)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1, 2, 3, 4]);
    expect(askedFrom()).toEqual([undefined, '2']);
  });

  test('that is reset is resumed, and the reader is told why', async () => {
    const told: Reconnect[] = [];
    server.script(
      async (wire) => {
        await wire.head(200, { 'Transfer-Encoding': 'chunked', Connection: 'keep-alive' });
        await wire.send(`${text(1).length.toString(16)}\r\n${text(1)}\r\n`);
        wire.reset();
      },
      stream(done(2)),
    );
    const onReconnect = (reconnect: Reconnect) => told.push(reconnect);
    expect(await idsOf(errand.runs.follow('agent_1', { onReconnect }))).toEqual([1, 2]);
    expect(told).toMatchObject([{ failures: 1, after: 1, error: expect.any(ConnectionError) }]);
  });

  test('that repeats events yields each once', async () => {
    server.script(stream(text(1), text(2)), stream(text(1), text(2), done(3)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1, 2, 3]);
  });

  test('whose chunks cut characters and lines anywhere is read like an uncut one', async () => {
    const whole = Buffer.from(text(1).replace('"1"', '"Grüße"') + done(2));
    server.script(async (wire) => {
      await wire.head();
      for (const byte of whole) await wire.send(Buffer.of(byte));
      wire.end();
    });
    const events = errand.runs.follow('agent_1');
    expect((await events.next()).value).toEqual({ id: 1, type: 'text', text: 'Grüße' });
    expect((await events.next()).value).toEqual({ id: 2, type: 'done', finalText: '2' });
  });

  test('of a run that is over after the last known event ends with the 204', async () => {
    server.script(async (wire) => {
      await wire.head(204, {});
      wire.end();
    });
    expect(await idsOf(errand.runs.follow('agent_1', { after: 7 }))).toEqual([]);
    expect(askedFrom()).toEqual(['7']);
  });

  test('is retried with growing pauses while the service is down', async () => {
    server.script(stream('retry: 2000\n\n', text(1)), refuse(503), refuse(502), refuse(500), stream(done(2)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1, 2]);
    const [first = 0, second = 0, third = 0, fourth = 0] = held.pauses;
    expect(held.pauses).toHaveLength(4);
    for (const [pause, longest] of [
      [first, 2000],
      [second, 4000],
      [third, 8000],
      [fourth, 16_000],
    ] as const) {
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest);
    }
  });

  test('waits as long as a 429 asks for', async () => {
    server.script(refuse(429, { 'Retry-After': '600' }), stream(done(1)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1]);
    expect(held.pauses).toEqual([600_000]);
  });

  test.each([
    ['no pause', '0', 250],
    ['eleven days', '1000000', 3_600_000],
  ])('is retried after a bounded pause if the service asks for %s', async (_, seconds, pause) => {
    server.script(refuse(503, { 'Retry-After': seconds }), stream(done(1)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1]);
    expect(held.pauses).toEqual([pause]);
  });

  test('that sets its retry time to zero is still retried with a pause', async () => {
    const eager = Array.from({ length: 20 }, () => stream('retry: 0\n\n: keep-alive\n\n'));
    server.script(...eager, stream(done(1)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1]);
    expect(Math.min(...held.pauses)).toBe(250);
  });

  test('with event ids that are no numbers or go backwards has the other events in order', async () => {
    const wrong = ['1e400', '-1', '2.5', 'x', '9007199254740993'].map((id) =>
      text(1).replace('id: 1', `id: ${id}`),
    );
    server.script(stream(text(2), ...wrong, text(1), done(3).replace('{', '{"id":1,')));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([2, 3]);
  });

  test.each(['nonsense', 'null', '[]', '"text"'])(
    'with an event that is no object is an ErrandError: %s',
    async (data) => {
      server.script(stream(text(1), `id: 2\ndata: ${data}\n\n`));
      await expect(idsOf(errand.runs.follow('agent_1'))).rejects.toMatchObject({
        name: 'ErrandError',
        message: 'The service answered with something else than a JSON object.',
      });
    },
  );

  test.each([
    ['of one line', ''],
    ['of many lines', '\ndata: '],
  ])('with an event %s without end is given up before it fills the memory', async (_, between) => {
    const piece = `${'x'.repeat(1024 * 1024)}${between}`;
    let sent = 0;
    let left = false;
    server.script(async (wire) => {
      void wire.closed.then(() => {
        left = true;
      });
      await wire.head();
      await wire.send('id: 1\ndata: ');
      while (!left && sent++ < 100) await wire.send(piece);
    });
    await expect(idsOf(errand.runs.follow('agent_1'))).rejects.toMatchObject({
      name: 'ErrandError',
      message: 'The service sent an event that is too long.',
    });
    expect(sent).toBeLessThan(100);
  });

  test('is given up when the service stays away, with the last failure', async () => {
    server.script(refuse(503));
    await expect(idsOf(errand.runs.follow('agent_1'))).rejects.toMatchObject({ status: 503, message: 'No.' });
    expect(server.requests).toHaveLength(13);
  });

  test('is given up if it ends at once without an event, however often it is opened', async () => {
    server.script(stream());
    await expect(idsOf(errand.runs.follow('agent_1'))).rejects.toBeInstanceOf(ConnectionError);
    expect(server.requests).toHaveLength(13);
  });

  test('that sends only keep-alives is opened again as often as it ends', async () => {
    const quiet = Array.from({ length: 20 }, () => stream(': keep-alive\n\n'));
    server.script(...quiet, stream(done(1)));
    expect(await idsOf(errand.runs.follow('agent_1'))).toEqual([1]);
  });

  test('ends for a reader whose key was revoked meanwhile', async () => {
    server.script(stream(text(1)), refuse(401));
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { id } of errand.runs.follow('agent_1')) seen.push(id);
    })();
    await expect(reading).rejects.toBeInstanceOf(UnauthorizedError);
    expect(seen).toEqual([1]);
    expect(server.requests).toHaveLength(2);
  });

  test('that has fallen silent is opened anew', async () => {
    server.script(
      async (wire) => {
        await wire.head();
        await wire.send(text(1));
      },
      stream(done(2)),
    );
    const events = errand.runs.follow('agent_1');
    expect((await events.next()).value?.id).toBe(1);
    const next = events.next();
    await held.endSilence();
    expect((await next).value?.id).toBe(2);
  });

  test('is closed when its reader leaves', async () => {
    let closed: Promise<void> | undefined;
    server.script(async (wire) => {
      closed = wire.closed;
      await wire.head();
      await wire.send(text(1));
    });
    for await (const { id } of errand.runs.follow('agent_1')) {
      expect(id).toBe(1);
      break;
    }
    await closed;
  });
});

describe('an abort', () => {
  test('ends the reading with its reason, and the connection', async () => {
    const abort = new AbortController();
    let closed: Promise<void> | undefined;
    server.script(async (wire) => {
      closed = wire.closed;
      await wire.head();
      await wire.send(text(1));
    });
    const events = errand.runs.follow('agent_1', { signal: abort.signal });
    await events.next();
    const next = events.next();
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    await closed;
  });

  test('ends the pause between two retries', async () => {
    const abort = new AbortController();
    server.script(refuse(503, { 'Retry-After': '60' }));
    const reason = new Error('enough');
    const onReconnect = () => abort.abort(reason);
    const patient = createErrand({ baseUrl: server.baseUrl, apiKey: 'sk-key' });
    const reading = idsOf(patient.runs.follow('agent_1', { signal: abort.signal, onReconnect }));
    await expect(reading).rejects.toBe(reason);
  });
});

test('waiting for a run survives cut streams, and returns the run when it is over', async () => {
  server.script(stream(text(1)), stream(done(2)), refuse(503, { 'Retry-After': '5' }), (wire) =>
    wire.json(200, { agentId: 'agent_1', status: 'succeeded', result: '2' }),
  );
  expect(await errand.runs.open('agent_1').wait()).toMatchObject({ status: 'succeeded', result: '2' });
  expect(server.requests.at(-1)?.path).toBe('/v1/agents/runs/agent_1');
});

describe('a start', () => {
  const accepted: UpstreamScript = (wire) => wire.json(202, { agentId: 'agent_1', status: 'queued' });

  test('that got no answer is retried with the same idempotency key', async () => {
    server.script((wire) => wire.reset(), refuse(503, { 'Retry-After': '5' }), accepted);
    const told: [number, number][] = [];
    const run = await errand.runs.start(
      { question: 'What?' },
      { onRetry: ({ error, pauseMilliseconds }) => told.push([error.status, pauseMilliseconds]) },
    );
    expect(run.agentId).toBe('agent_1');
    expect(told).toEqual([
      [0, expect.any(Number)],
      [503, 5_000],
    ]);
    const keys = new Set(server.requests.map(({ headers }) => headers['idempotency-key']));
    expect(server.requests).toHaveLength(3);
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(held.pauses[1]).toBe(5000);
  });

  test('that the rate limit holds up for minutes is not retried, but thrown to the caller', async () => {
    server.script(refuse(429, { 'Retry-After': '600' }));
    await expect(errand.runs.start({ question: 'What?' })).rejects.toMatchObject({
      status: 429,
      retryAfterMilliseconds: 600_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('that is refused is not retried', async () => {
    server.script(refuse(400));
    await expect(errand.runs.start({ question: '' })).rejects.toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
  });
});

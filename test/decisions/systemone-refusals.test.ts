import { limits } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Reply, sendJson } from '../support/local-server.ts';
import { type DecisionService, simpleBody, startDecisionService } from './support/decision-service.ts';
import { answerAll, answersFor, answerWith } from './support/upstream.ts';

let service: DecisionService;
beforeAll(async () => {
  service = await startDecisionService();
});
beforeEach(() => {
  service.upstream.reply(answerAll);
  service.upstream.requests.length = 0;
});
afterAll(() => service.close());

/** A refused request is neither forwarded nor charged, and its answer has the request id in both headers. */
async function refused(body: unknown, options: { sent?: boolean; key?: string } = {}) {
  const charges = await service.ledger();
  const response = await service.post(body, options.key === undefined ? {} : { key: options.key });
  const text = await response.text();
  expect(await service.ledger()).toEqual(charges);
  expect(service.deferred).toEqual([]);
  expect(service.upstream.requests.length > 0).toBe(options.sent ?? false);
  expect(response.headers.get('x-typesafe-request-id')).toBe(response.headers.get('x-request-id'));
  expect(response.headers.get('x-request-id')).not.toBe('');
  return { status: response.status, text, headers: response.headers };
}

describe('POST /v1/systemone answers 400', () => {
  it.each([
    ['', 'Malformed JSON in request body'],
    ['{"model":"judge"', 'Malformed JSON in request body'],
    ['{"model":"judge","state":NaN}', 'Malformed JSON in request body'],
    ['{"__proto__":1,}', 'Malformed JSON in request body'],
    [JSON.stringify({ ...simpleBody, model: 'jev-latest' }), 'Unsupported model'],
    [JSON.stringify({ model: 'nothing' }), 'Unsupported model'],
    [JSON.stringify({ ...simpleBody, model: 'writer' }), 'Unsupported model type'],
    [JSON.stringify({ ...simpleBody, model: 'writer-compressed' }), 'Unsupported model type'],
  ])('to %s', async (body, error) => {
    expect(await refused(body)).toMatchObject({ status: 400, text: JSON.stringify({ error }) });
  });

  it('to bytes that are not UTF-8', async () => {
    const response = await fetch(`${service.baseUrl}/v1/systemone`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}` },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect(response.status).toBe(400);
  });
});

describe('POST /v1/systemone answers 401', () => {
  it.each(['', 'sk-unknown'])('to the key "%s"', async (key) => {
    expect(await refused(simpleBody, { key })).toMatchObject({ status: 401, text: 'Unauthorized' });
  });
});

describe('POST /v1/systemone answers 402', () => {
  it('to an account without credits, before it looks at the body', async () => {
    const key = await service.newKey('0');
    expect(await refused('{', { key })).toMatchObject({
      status: 402,
      text: '{"error":"No remaining credits (EUR)","available":"0","needed":"0.000000001"}',
    });
  });

  it('never to an account that a subscription covers', async () => {
    const key = await service.newKey('0', true);
    expect((await service.post(simpleBody, { key })).status).toBe(200);
  });
});

describe('POST /v1/systemone answers 413', () => {
  it('to more than 4 MB, and takes exactly 4 MB', async () => {
    const rest = '{"model":"nothing","state":""}';
    const padded = (bytes: number) => rest.replace('""', `"${'x'.repeat(bytes - rest.length)}"`);
    expect(await refused(padded(4 * 1024 * 1024))).toMatchObject({ status: 400 });
    expect(await refused(padded(4 * 1024 * 1024 + 1))).toMatchObject({
      status: 413,
      text: '{"error":"Request body too large","code":"body_too_large"}',
    });
  });
});

describe('POST /v1/systemone answers 422 invalid_request', () => {
  const errorOf = async (body: unknown) => {
    const { status, text } = await refused(body);
    const { error, code } = JSON.parse(text) as { error: string; code: string };
    expect({ status, code }).toEqual({ status: 422, code: 'invalid_request' });
    return error;
  };
  const raw = (questions: string, state = '"x"') =>
    `{"model":"judge","state":${state},"questions":${questions}}`;

  it.each([
    ['[]', 'body: must be an object'],
    ['null', 'body: must be an object'],
    ['{}', 'model: is required'],
    ['{"model":7}', 'model: must be a string'],
    [raw('{"q":{"type":"noul","criteria":7}}'), 'questions.q.criteria: must be an object or null'],
    [raw('{"q":{"type":"noul"}}', '7'), 'state: must be a string, an object, an array or null'],
    [raw('{}'), 'questions: must have 1 to 32 entries'],
    [raw('{"__proto__":{"type":"noul"}}'), 'questions: may not have the key __proto__'],
    [raw('{"q":{"type":"noul"},"r":{"type":"noul"},"q":{"type":"noul"}}'), 'questions.q: is there twice'],
    [raw('{"q":{"type":"noul"},"\\u0071":{"type":"choice"}}'), 'questions.q: is there twice'],
    [
      raw(`{"${'q'.repeat(300)}":1,"${'q'.repeat(300)}":1}`),
      `questions.${'q'.repeat(limits.decisionQuestionIdCharacters)}...: is there twice`,
    ],
    [raw('{"q":{"type":"noul"}}', '{"a":[{"__proto__":1}]}'), 'state.a.0: may not have the key __proto__'],
    [
      raw('{"q":{"type":"choice","criteria":{"a":null,"\\u005f_proto__":null}}}'),
      'questions.q.criteria: may not have the key __proto__',
    ],
    [
      raw('{"q":{"type":"noul","instructions":{"deep":{"__proto__":{}}}}}'),
      'questions.q.instructions.deep: may not have the key __proto__',
    ],
    [raw('{"q":{"type":"noul"}}', '[1e999]'), 'state.0: has a number outside of the range of a double'],
  ])('to %s', async (body, error) => {
    expect(await errorOf(body)).toBe(error);
  });

  it('to nesting past 1,000 levels, and takes 1,000', async () => {
    // The body is the first level; the others are the arrays of the state.
    const nested = (levels: number) =>
      raw('{"q":{"type":"noul"}}', '['.repeat(levels - 1) + ']'.repeat(levels - 1));
    expect((await service.post(nested(1_000))).status).toBe(200);
    service.upstream.requests.length = 0;
    expect(await errorOf(nested(1_001))).toBe('The request body is nested more than 1000 levels deep.');
    expect(await errorOf(nested(1_000_000))).toBe('The request body is nested more than 1000 levels deep.');
  });

  it('with at most ten of many problems', async () => {
    const questions = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`q${i}`, {}]));
    const error = await errorOf({ ...simpleBody, questions });
    expect(error.split('; ')).toHaveLength(11);
    expect(error).toMatch(/; and 22 more$/);
  });

  it('after the last of two values of a key', async () => {
    expect(await errorOf(raw('{"q":{"type":"noul","type":"x"}}'))).toBe(
      'questions.q.type: must be noul, choice or score',
    );
    expect((await service.post(raw('{"q":{"type":"x","type":"noul"}}'))).status).toBe(200);
  });
});

describe('POST /v1/systemone answers 422 context_length_exceeded', () => {
  const exceeded = {
    status: 422,
    text: '{"error":"The request does not fit the context of 16384 tokens.","code":"context_length_exceeded"}',
  };

  it('to more tokens than the context has, without a call', async () => {
    // The question's id, yes and no are three more tokens.
    const state = (words: number) => Array<string>(words).fill('word').join(' ');
    expect((await service.post({ ...simpleBody, state: state(16_381) })).status).toBe(200);
    service.upstream.requests.length = 0;
    expect(await refused({ ...simpleBody, state: state(16_382) })).toMatchObject(exceeded);
  });

  it('to a state of almost 4 MB', async () => {
    expect(await refused({ ...simpleBody, state: 'ab '.repeat(1_390_000) })).toMatchObject(exceeded);
  });

  it('where the upstream says so', async () => {
    service.upstream.reply(answerWith(422, { error: 'too long', code: 'context_length_exceeded' }));
    expect(await refused(simpleBody, { sent: true })).toMatchObject(exceeded);
  });
});

describe('POST /v1/systemone answers 429', () => {
  it('with the rate headers, before credits and body', async () => {
    const limited = await startDecisionService({ rateLimitRequests: 1 });
    const key = await limited.newKey('0');
    await limited.post('{', { key });
    const response = await limited.post('{', { key });
    expect(response.status).toBe(429);
    expect(await response.text()).toBe('Too many requests, please try again later.');
    expect(response.headers.get('retry-after')).toBe(response.headers.get('ratelimit-reset'));
    expect(response.headers.get('x-typesafe-request-id')).toBe(response.headers.get('x-request-id'));
    await limited.close();
  });
});

describe('POST /v1/systemone answers 403', () => {
  it('in a us deployment, after key and rate, before credits and body', async () => {
    const us = await startDecisionService({ location: 'us' });
    const response = await us.post('{', { key: await us.newKey('0') });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'endpoint_not_available_in_location' });
    expect(response.headers.get('ratelimit-remaining')).toBe(`${limits.requestsPerWindow - 1}`);
    expect((await us.post(simpleBody, { key: 'wrong' })).status).toBe(401);
    await us.close();
  });
});

describe('POST /v1/systemone answers 500', () => {
  const nothing: Reply = ({ body }, response) => {
    const { answers } = answersFor(body) as { answers: Record<string, unknown> };
    delete answers.second;
    sendJson(response, 200, { answers });
  };
  const lopsided: Reply = answerWith(200, { answers: { late: { type: 'noul', noul: 1.2 } } });

  it.each([
    ['fails one question of two', nothing],
    ['gives no probability', lopsided],
    ['gives no JSON', (_, response) => response.end('<html>')],
    ['refuses what is valid', answerWith(422, { error: 'at most 16 questions' })],
  ] satisfies [string, Reply][])(
    'where the upstream %s, and nothing is answered or charged',
    async (_, reply) => {
      service.upstream.reply(reply);
      const questions = { late: { type: 'noul' }, second: { type: 'noul' } };
      expect(await refused({ ...simpleBody, questions }, { sent: true })).toMatchObject({
        status: 500,
        text: '{"error":"Internal server error","code":"internal_error"}',
      });
    },
  );
});

describe('POST /v1/systemone answers 503', () => {
  it.each([429, 500, 502, 503, 529])('where the upstream answers %d', async (status) => {
    service.upstream.reply(answerWith(status, { error: { message: 'secret words', code: 'busy' } }));
    const answer = await refused(simpleBody, { sent: true });
    expect(answer).toMatchObject({
      status: 503,
      text: '{"error":"Service temporarily degraded. Please retry.","code":"service_degraded"}',
    });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it.each([401, 404])('with the reason where the upstream answers %d', async (status) => {
    service.upstream.reply(answerWith(status, { error: { message: 'secret words', code: 'busy' } }));
    const { text, ...answer } = await refused(simpleBody, { sent: true });
    expect(answer).toMatchObject({ status: 503 });
    expect(JSON.parse(text)).toEqual({
      error: 'Service temporarily degraded. Please retry.',
      code: 'service_degraded',
      reason: expect.stringContaining('is not set up'),
    });
  });

  it('where the upstream breaks off', async () => {
    service.upstream.reply((_, response) => void response.destroy());
    expect(await refused(simpleBody, { sent: true })).toMatchObject({ status: 503 });
  });

  it('where the answer breaks off, which the log says with its upstream, and asks no second time', async () => {
    service.upstream.reply((_, response) => {
      response.writeHead(200).write('{');
      setImmediate(() => response.destroy());
    });
    service.upstream.requests.length = 0;
    expect(await refused(simpleBody, { sent: true })).toMatchObject({ status: 503 });
    expect(service.upstream.requests).toHaveLength(1);
    expect(service.log).toContainEqual(
      expect.objectContaining({ message: 'upstream failed', failure: 'broken', address: expect.any(String) }),
    );
  });

  it('without a word of the case or of a key in the log', async () => {
    service.upstream.reply(answerWith(404, {}));
    await refused({ ...simpleBody, state: 'a private case' }, { sent: true });
    const log = JSON.stringify(service.log);
    expect(log).toContain('upstream does not accept our set-up');
    expect(log).not.toContain('private');
    expect(log).not.toContain('upstream-secret');
    expect(log).not.toContain(service.key);
  });
});

describe('POST /v1/systemone answers 504', () => {
  it('when the time is over before the upstream’s head or the end of its answer, stops asking, and charges nothing', async () => {
    for (const begun of [false, true]) {
      const before = await service.ledger();
      const left = new Promise<void>((resolve) => {
        service.upstream.reply((_, response) => {
          response.once('close', resolve);
          if (begun) response.writeHead(200).write('{');
          setImmediate(() => service.endTime());
        });
      });
      service.upstream.requests.length = 0;
      const response = await service.post(simpleBody);
      expect([response.status, await response.text()]).toEqual([
        504,
        '{"error":"Request timed out","code":"timeout"}',
      ]);
      await left;
      expect(await service.ledger()).toEqual(before);
    }
  });

  it('before the upstream has the request, and charges nothing', async () => {
    service.upstream.reply(answerWith(503, {}));
    service.deps.clock.wait = async () => service.endTime();
    expect(await refused(simpleBody, { sent: true })).toMatchObject({ status: 504 });
    service.deps.clock.wait = async () => {};
  });
});

it('has the request id under both names in answer to another method too', async () => {
  const response = await fetch(`${service.baseUrl}/v1/systemone`);
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
  expect(response.headers.get('x-typesafe-request-id')).toBe(response.headers.get('x-request-id'));
});

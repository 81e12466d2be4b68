import { decisionAnswer } from '@errand/decisions';
import { whenSettled } from '@errand/money';
import { limits } from '@errand/platform';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newTestAccount } from '../support/accounts.ts';
import { sendJson } from '../support/local-server.ts';
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

describe('POST /v1/systemone answers 200', () => {
  const body =
    '{"unknown":1,"model":"judge","state":{"10":1,"2":12345678901234567890},"questions":{' +
    '"10":{"type":"score","criteria":["low",null,{"9":"a","8":"b"}]},' +
    '"2":{"type":"choice","criteria":{"30":null,"b":"x","4":"y"}},"yes":{"type":"noul","more":{}}}}';

  it('with every kind, keys as sent, no output tokens and the impact', async () => {
    const response = await service.post(body);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const text = await response.text();
    const at = text.indexOf(',"impact":');
    expect(text.slice(0, at)).toBe(
      '{"model":"judge","answers":{' +
        '"10":{"type":"score","score":0.75,"legend":{"0":"low","1":null,"2":{"9":"a","8":"b"}},' +
        '"probabilities":{"0":0.5,"1":0.25,"2":0.25},"confidence":0},' +
        '"2":{"type":"choice","choice":"4","probabilities":{"30":0.25,"b":0.25,"4":0.5},"confidence":0.25},' +
        '"yes":{"type":"noul","noul":0.75}},"usage":{"input_tokens":7,"output_tokens":0}',
    );
    expect(JSON.parse(`{${text.slice(at + 1)}`).impact).toEqual({
      version: expect.stringMatching(/^\d{8}$/),
      inferenceTime: { total: expect.any(Number), unit: 'ms' },
      energy: { total: expect.any(Number), unit: 'Wms' },
      emissions: { total: expect.any(Number), unit: 'ugCO2e' },
    });
    expect(v.is(decisionAnswer, JSON.parse(text))).toBe(true);
  });

  it('having sent the upstream the request in order, rounded numbers, its own model name and key', async () => {
    await service.post(body);
    expect(service.upstream.requests[0]?.body).toBe(
      '{"model":"upstream-judge","state":{"10":1,"2":12345678901234567000},"questions":{' +
        '"10":{"type":"score","criteria":["low",null,{"9":"a","8":"b"}]},' +
        '"2":{"type":"choice","criteria":{"30":null,"b":"x","4":"y"}},"yes":{"type":"noul"}}}',
    );
    expect(service.upstream.requests[0]?.headers.authorization).toBe('Bearer upstream-secret');
  });

  it('with the request id in both headers, and the rate headers', async () => {
    const { headers } = await service.post(simpleBody, { headers: { 'X-Request-Id': 'mine' } });
    expect(headers.get('x-request-id')).toBe('mine');
    expect(headers.get('x-typesafe-request-id')).toBe('mine');
    expect(headers.get('ratelimit-limit')).toBe(String(limits.requestsPerWindow));
  });

  it('with the time of the one pass as inferenceTime', async () => {
    service.upstream.reply(({ body: asked }, response) => {
      service.clock.advance(1_234);
      sendJson(response, 200, answersFor(asked));
    });
    const { impact } = (await (await service.post(simpleBody)).json()) as { impact: unknown };
    expect(impact).toMatchObject({
      inferenceTime: { total: 1_234 },
      energy: { total: Math.round(1.2 * (700 / 16) * 1_234) },
    });
  });

  it('with tokens that we counted where the upstream counts none, and charges those', async () => {
    service.upstream.reply(({ body: asked }, response) =>
      sendJson(response, 200, { answers: answersFor(asked).answers }),
    );
    const state = Array<string>(50).fill('word').join(' ');
    const answer = (await (await service.post({ ...simpleBody, state })).json()) as { usage: object };
    // The question's id `late`, "yes" and "no" are one token each.
    expect(answer.usage).toEqual({ input_tokens: 53, output_tokens: 0 });
    const entry = expect.objectContaining({ inputTokens: 53, amountNanoEuro: -5_300 });
    expect(await service.ledger()).toContainEqual(entry);
  });

  it('with a legend and probabilities of names that every object has', async () => {
    service.upstream.reply(({ body: asked }, response) => sendJson(response, 200, answersFor(asked)));
    const criteria = { constructor: null, toString: null, hasOwnProperty: 'x' };
    const response = await service.post({
      ...simpleBody,
      questions: { constructor: { type: 'choice', criteria } },
    });
    const { answers } = (await response.json()) as { answers: Record<string, object> };
    expect(Object.keys(answers)).toEqual(['constructor']);
    expect(answers.constructor).toHaveProperty('choice', 'constructor');
  });

  it.each([
    ['its key was not seen', {}, 3],
    ['its key was seen', {}, 2],
    ['the key of an organisation was not seen', { subscription: true }, 4],
    ['the key of an organisation was seen', { subscription: true }, 3],
  ])(
    'with only the requests to the store that letting a decision in and settling it take: %s',
    async (when, account, expected) => {
      const { accounts } = service.deps;
      const { key } = await newTestAccount(accounts, account);
      const requestsOf = async () => {
        const before = service.dynamo.requests();
        expect((await service.post(simpleBody, { key })).status).toBe(200);
        await whenSettled(accounts);
        return service.dynamo.requests() - before;
      };
      if (!when.includes('not')) await requestsOf();
      expect(await requestsOf()).toBe(expected);
    },
  );

  it('after the upstream was busy for a moment', async () => {
    service.upstream.reply((request, response) =>
      service.upstream.requests.length === 1
        ? answerWith(503, {})(request, response)
        : answerAll(request, response),
    );
    expect((await service.post(simpleBody)).status).toBe(200);
  });
});

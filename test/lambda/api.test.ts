import { gunzipSync } from 'node:zlib';
import { showCredits } from '@errand/money';
import { localTableNames } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeOpenApi } from '../../scripts/build-assets.ts';
import {
  answerAll,
  answerWith,
  type SystemOneUpstream,
  startUpstream,
} from '../decisions/support/upstream.ts';
import { type Cloud, type CloudFunction, linkSecret, startCloud } from '../support/lambda/cloud.ts';
import { request } from '../support/lambda/http.ts';
import { type Provider, startProvider } from '../support/model-server.ts';
import { simpleCatalogue } from '../support/service.ts';

let provider: Provider;
let judge: SystemOneUpstream;
let cloud: Cloud;
let site: CloudFunction;
let skills: CloudFunction;
let chat: CloudFunction;
let systemone: CloudFunction;

beforeAll(async () => {
  provider = await startProvider(() => ({ text: 'Certainly.' }));
  judge = await startUpstream();
  const { baseUrl } = provider;
  cloud = await startCloud(
    simpleCatalogue(baseUrl, {
      models: [
        {
          id: 'judge',
          kind: 'decision',
          description: 'A scripted judge.',
          engine: 'systemone',
          upstream: { baseUrl: judge.url, model: 'clef' },
          price: { inputPerMillionTokens: 1 },
        },
        {
          id: 'house/judge',
          kind: 'decision',
          upstream: { baseUrl: judge.url, model: 'clef' },
          price: { inputPerMillionTokens: 1 },
        },
      ],
      roles: { decision: 'judge' },
    }),
  );
  site = await cloud.start('site');
  skills = await cloud.start('skills');
  chat = await cloud.start('chat');
  systemone = await cloud.start('systemone');
});

afterAll(async () => {
  for (const each of [site, skills, chat, systemone]) expect(each?.refused()).toEqual([]);
  await cloud?.stop();
  await provider?.close();
  await judge?.close();
});

const json = { 'Content-Type': 'application/json' };

describe('the site', () => {
  test('serves the pages that are deployed with it, compressed as they were built, and only those', async () => {
    const page = await site.request('/docs', { key: null, headers: { 'Accept-Encoding': 'gzip' } });
    expect([page.statusCode, page.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const html = gunzipSync(await page.bytes()).toString();
    const script = /src="(\/docs\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await site.request(script, { key: null, headers: { 'Accept-Encoding': 'gzip' } });
    expect(asset.headers['cache-control']).toContain('immutable');
    expect(gunzipSync(await asset.bytes()).toString()).toContain('/openapi.json');
    for (const path of ['/docs/assets/none.js', '/pages/manifest.json', '/docs/%2e%2e/openapi.json.gz']) {
      const missing = await site.request(path, { key: null });
      expect([missing.statusCode, await missing.text()]).toEqual([404, '{"error":"Not found"}']);
    }
  });

  test('answers 404 to clients that ask for no page at /', async () => {
    const { statusCode, text } = await site.request('/', { key: null, headers: { Accept: '*/*' } });
    expect([statusCode, await text()]).toEqual([404, '{"error":"Not found"}']);
  });
});

describe('every function', () => {
  test('refuses with 403 what did not come through the router, before it looks at anything', async () => {
    for (const each of [site, skills, chat, systemone]) {
      const { statusCode, text } = await request(each, '/healthz', {
        headers: { Authorization: `Bearer ${cloud.apiKey}` },
      });
      expect([statusCode, await text()]).toEqual([403, '{"error":"Forbidden"}']);
      const wrong = await request(each, '/healthz', { headers: { 'X-Origin-Secret': 'guessed' } });
      expect(wrong.statusCode).toBe(403);
      await wrong.bytes();
    }
  });

  test('answers a preflight itself, with each header once', async () => {
    const { statusCode, headers, bytes } = await chat.request('/v1/chat/completions', {
      method: 'OPTIONS',
      key: null,
      headers: { Origin: 'https://somewhere.example', 'Access-Control-Request-Headers': 'content-type' },
    });
    expect(statusCode).toBe(204);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-headers']).toBe('authorization, content-type');
    expect((await bytes()).length).toBe(0);
  });

  test('logs a request as one document, with its id and account and without its key or text', async () => {
    const response = await chat.request('/v1/chat/completions', {
      method: 'POST',
      headers: { ...json, 'X-Request-Id': 'logged-once' },
      body: JSON.stringify({ model: 'writer', messages: [{ role: 'user', content: 'a private matter' }] }),
    });
    await response.bytes();
    await expect
      .poll(() => chat.log().filter(({ requestId }) => requestId === 'logged-once'))
      .toHaveLength(1);
    const [line] = chat.log().filter(({ requestId }) => requestId === 'logged-once');
    expect(line).toMatchObject({
      message: 'request',
      area: 'chat',
      route: '/v1/chat/completions',
      status: 200,
      accountId: cloud.accountId,
      _aws: { CloudWatchMetrics: [{ Dimensions: [['area']] }, { Dimensions: [['scope']] }] },
    });
    const all = JSON.stringify(chat.log());
    for (const secret of ['private', cloud.apiKey, linkSecret]) expect(all).not.toContain(secret);
  });

  test('logs each charge that was written as a metric', async () => {
    await expect
      .poll(() => chat.log().find(({ message }) => message === 'charged'))
      .toMatchObject({
        kind: 'completion',
        model: 'writer',
        inputTokens: 100,
        outputTokens: 10,
        amountNanoEuro: 120_000,
        _aws: { CloudWatchMetrics: [{ Dimensions: [['scope']] }] },
      });
  });
});

describe('site', () => {
  test('has the OpenAPI document that an app of all routes makes', async () => {
    const { statusCode, headers, text } = await site.request('/openapi.json', { key: null });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json']);
    expect(await text()).toBe(await writeOpenApi());
  });

  test('tells clients of other services what is here instead', async () => {
    for (const path of ['/v1/completions', '/v1/v1/chat/completions', '/chat/completions']) {
      const { statusCode, headers, text } = await site.request(path, { method: 'POST', body: '{}' });
      expect([statusCode, JSON.parse(await text()).error.code]).toEqual([404, 'unknown_url']);
      expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
    }
    const unknown = await site.request('/v1/nothing');
    expect([unknown.statusCode, await unknown.text()]).toEqual([404, '{"error":"Not found"}']);
  });

  test('says that it is well, and what the account has', async () => {
    const health = await site.request('/healthz', { key: null });
    expect([health.statusCode, await health.text()]).toEqual([200, '{"status":"ok"}']);
    const life = await site.request('/livez', { key: null });
    expect([life.statusCode, await life.text()]).toEqual([200, '{"status":"ok"}']);
    const credits = await site.request('/v1/credits');
    expect(credits.statusCode).toBe(200);
    expect(JSON.parse(await credits.text())).toMatchObject({ balance: expect.stringMatching(/^\d/) });
    const entries = await site.request('/v1/credits/entries?limit=1');
    expect(JSON.parse(await entries.text())).toMatchObject({ entries: [{}] });
    const usage = await site.request('/v1/usage?groupBy=day,key');
    expect([usage.statusCode, JSON.parse(await usage.text())]).toMatchObject([
      200,
      { rows: expect.any(Array) },
    ]);
  });

  test('answers every path that no function has with 404, and counts it', async () => {
    const { statusCode, headers, text } = await site.request('/v1/nowhere');
    expect([statusCode, await text()]).toEqual([404, '{"error":"Not found"}']);
    expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
  });

  test('answers another method with 405, and HEAD without a body', async () => {
    const wrong = await site.request('/healthz', { method: 'DELETE' });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'HEAD, GET']);
    await wrong.bytes();
    const head = await site.request('/healthz', { method: 'HEAD', key: null });
    expect([head.statusCode, (await head.bytes()).length]).toEqual([200, 0]);
  });
});

describe('skills', () => {
  test('are created, changed, listed and deleted', async () => {
    const created = await skills.request('/v1/skills', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'brief', instructions: 'Be brief. Größe, 大きさ.' }),
    });
    expect(created.statusCode).toBe(201);
    const { id } = JSON.parse(await created.text()) as { id: string };
    const changed = await skills.request(`/v1/skills/${id}`, {
      method: 'PATCH',
      headers: json,
      // Lambda gives a body in base64 where it takes it for bytes.
      body: Buffer.from(JSON.stringify({ instructions: 'Be briefer. Größe, 大きさ.' })),
    });
    expect(JSON.parse(await changed.text())).toMatchObject({
      version: 2,
      instructions: 'Be briefer. Größe, 大きさ.',
    });
    const listed = await skills.request('/v1/skills');
    expect(JSON.parse(await listed.text()).skills).toHaveLength(1);
    const applied = await chat.request('/v1/chat/completions', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({
        model: 'writer',
        messages: [{ role: 'user', content: 'Hello' }],
        skills: { name: 'brief', version: 1 },
      }),
    });
    expect([applied.statusCode, applied.headers['x-skill'], applied.headers['x-skill-version']]).toEqual([
      200,
      'brief',
      '1',
    ]);
    await applied.bytes();
    const deleted = await skills.request(`/v1/skills/${id}`, { method: 'DELETE' });
    expect([deleted.statusCode, (await deleted.bytes()).length]).toEqual([204, 0]);
  });
});

describe('chat', () => {
  test('lists models and prices, and refuses an invalid key', async () => {
    const models = await chat.request('/v1/models');
    expect(JSON.parse(await models.text()).data.map(({ id }: { id: string }) => id)).toContain('writer');
    const price = await chat.request('/v1/pricing/writer');
    expect(JSON.parse(await price.text())).toMatchObject({ currency: 'EUR', inputPerMillionTokens: 1 });
    for (const id of ['house/judge', 'house%2Fjudge']) {
      const model = await chat.request(`/v1/models/${id}`);
      expect(JSON.parse(await model.text())).toMatchObject({ id: 'house/judge', object: 'model' });
    }
    const missing = await chat.request('/v1/models/house%2Fnobody');
    expect([missing.statusCode, JSON.parse(await missing.text()).error.code]).toEqual([
      404,
      'model_not_found',
    ]);
    const refused = await chat.request('/v1/models', { key: 'wrong' });
    expect([refused.statusCode, await refused.text()]).toEqual([401, 'Unauthorized']);
  });

  test('answers plainly, with usage and impact', async () => {
    const { statusCode, text } = await chat.request('/v1/chat/completions', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ model: 'writer', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(statusCode).toBe(200);
    expect(JSON.parse(await text())).toMatchObject({
      choices: [{ message: { content: 'Certainly.' } }],
      usage: { prompt_tokens: 100, completion_tokens: 10 },
      impact: { energy: { unit: 'Wms' } },
    });
  });
});

describe('systemone', () => {
  test('refuses what is no decision, with the request id that the protocol reads', async () => {
    const { statusCode, headers, text } = await systemone.request('/v1/systemone', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ model: 'writer', state: null, questions: { q: { type: 'noul' } } }),
    });
    expect([statusCode, JSON.parse(await text()).error]).toEqual([400, 'Unsupported model type']);
    expect(headers['x-typesafe-request-id']).toBe(headers['x-request-id']);
  });

  test('answers 503 when its upstream cannot be asked, and charges nothing', async () => {
    judge.reply(answerWith(404, {}));
    const response = await systemone.request('/v1/systemone', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ model: 'judge', state: 'a case', questions: { q: { type: 'noul' } } }),
    });
    expect(response.statusCode).toBeGreaterThanOrEqual(500);
    await response.bytes();
    expect(systemone.log().filter(({ message }) => message === 'charged')).toEqual([]);
  });

  test('charges what it answered, once', async () => {
    judge.reply(answerAll);
    const { statusCode, bytes, failure } = await systemone.request('/v1/systemone', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ model: 'judge', state: 'a case', questions: { q: { type: 'noul' } } }),
    });
    expect(statusCode).toBe(200);
    await bytes();
    expect(await failure).toBeUndefined();
    const store = { dynamodb: cloud.clients.dynamodb, tables: localTableNames };
    // SST's runtime client, unlike AWS's own, does not wait for the handler once its response has ended.
    await expect
      .poll(async () => {
        const { entries } = await showCredits(store, { accountId: cloud.accountId });
        return entries.filter(({ kind }) => kind === 'decision');
      })
      .toMatchObject([{ inputTokens: 7 }]);
  });
});

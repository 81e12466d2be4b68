import type { Check } from '../check.ts';
import { must } from '../outcome.ts';
import { excerpt } from '../show.ts';

const unauthorized: Check = {
  name: '401',
  async run(scene) {
    for (const [words, key] of [
      ['without a key', null],
      ['with an unknown key', `errand_${'x'.repeat(38)}`],
    ] as const) {
      const { status, text } = await scene.ask('/v1/credits', { key });
      must(status === 401, `GET /v1/credits ${words}: ${status} ${excerpt(await text())}`);
    }
    return 'without a key, and with an unknown one';
  },
};

const notFound: Check = {
  name: '404',
  async run(scene) {
    const given = `${scene.id}-404`;
    const answer = await scene.ask('/v1/nothing-here', { headers: { 'X-Request-Id': given } });
    const text = await answer.text();
    const right = answer.status === 404 && text === '{"error":"Not found"}';
    must(right, `GET /v1/nothing-here: ${answer.status} ${excerpt(text)}`);
    must(
      answer.headers['x-request-id'] === given,
      'the answer does not have the X-Request-Id of its request',
    );
    return 'an unknown path, with the X-Request-Id of its request';
  },
};

const methodNotAllowed: Check = {
  name: '405',
  async run(scene) {
    const { status, headers, text } = await scene.ask('/v1/credits', { method: 'PUT', json: {} });
    const allow = headers.allow ?? '';
    await text();
    must(status === 405 && allow.includes('GET'), `PUT /v1/credits: ${status}, Allow: ${allow}`);
    return `PUT /v1/credits, Allow: ${allow}`;
  },
};

const preflight: Check = {
  name: 'OPTIONS',
  async run(scene) {
    const { status, headers } = await scene.ask('/v1/chat/completions', {
      method: 'OPTIONS',
      key: null,
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    const origin = headers['access-control-allow-origin'];
    const allowed = headers['access-control-allow-headers'] ?? '';
    must(status === 204, `OPTIONS /v1/chat/completions: ${status}`);
    // A second value, as a function URL would add, is refused by every browser.
    must(origin === '*', `Access-Control-Allow-Origin: ${origin}`);
    must(allowed.includes('authorization') && allowed.includes('content-type'), `it allows ${allowed}`);
    return `204, any origin, headers ${allowed}`;
  },
};

const head: Check = {
  name: 'HEAD',
  async run(scene) {
    const asked = await scene.ask('/v1/models', { method: 'HEAD' });
    const type = asked.headers['content-type'] ?? '';
    const bytes = (await asked.text()).length;
    const right = asked.status === 200 && type.startsWith('application/json') && bytes === 0;
    must(right, `HEAD /v1/models: ${asked.status}, ${type}, a body of ${bytes} bytes`);
    return '200 with the headers of a GET, and no body';
  },
};

const entityTags: Check = {
  name: '304 and 204',
  async run(scene) {
    const name = scene.id;
    const created = await scene.ask('/v1/skills', {
      method: 'POST',
      json: { name, instructions: 'Answer in one word.' },
    });
    const text = await created.text();
    must(created.status === 201, `POST /v1/skills: ${created.status} ${excerpt(text)}`);
    const path = `/v1/skills/${encodeURIComponent((JSON.parse(text) as { id: string }).id)}`;
    scene.traces.skills.add(path);
    const read = await scene.ask(path);
    await read.text();
    const tag = read.headers.etag ?? '';
    must(read.status === 200 && tag !== '', `GET the skill: ${read.status}, ETag: ${tag}`);
    const again = await scene.ask(path, { headers: { 'If-None-Match': tag } });
    const repeated = await again.text();
    must(again.status === 304 && repeated === '', `GET with If-None-Match: ${again.status}`);
    const deleted = await scene.ask(path, { method: 'DELETE' });
    must(deleted.status === 204 && (await deleted.text()) === '', `DELETE the skill: ${deleted.status}`);
    return 'a skill that has not changed, and its deletion';
  },
};

export const statuses = [unauthorized, notFound, methodNotAllowed, preflight, head, entityTags];

import { type Broken, changing, instead, notHere, onPath, page, textAnswer, without } from './make.ts';

export const statuses: readonly Broken[] = [
  {
    what: 'has a store that does not answer',
    check: 'health',
    seen: /GET \/healthz: 503/,
    breakage: () => instead(onPath(/^\/healthz/), textAnswer(503, '{"status":"unavailable"}')),
  },
  {
    what: 'does not say how many requests are left',
    check: 'the rate window',
    seen: /no RateLimit-Remaining/,
    breakage: () =>
      changing(onPath(/^\/v1\/agents$/), (a) => ({
        ...a,
        headers: without(a.headers, 'ratelimit-remaining'),
      })),
  },
  ...['/v1/agents', '/v1/uploads', '/v1/files', '/v1/values', '/v1/skills', '/v1/systemone', '/v1/decisions']
    .concat([
      '/v1/chat',
      '/v1/models',
      '/v1/pricing',
      '/v1/credits',
      '/openapi.json',
      '/v1/completions',
      '/v1/embeddings',
    ])
    .map(
      (prefix): Broken => ({
        what: `sends ${prefix} to another function`,
        check: 'each prefix has its own function',
        seen: new RegExp(`${prefix}.*: 404 .*Not found`),
        breakage: () => instead(({ path }) => path.startsWith(prefix), notHere),
      }),
    ),
  {
    what: 'lets everybody in',
    check: '401',
    seen: /without a key: 200/,
    breakage: (key) => ({
      request: (sent) => ({ ...sent, headers: { ...sent.headers, authorization: `Bearer ${key}` } }),
    }),
  },
  {
    what: 'has another page for unknown paths',
    check: '404',
    seen: /404 <html>/,
    breakage: () => instead(onPath(/nothing-here/), textAnswer(404, page)),
  },
  {
    what: 'gives requests other ids',
    check: '404',
    seen: /X-Request-Id/,
    breakage: () =>
      changing(onPath(/nothing-here/), (a) => ({
        ...a,
        headers: { ...a.headers, 'x-request-id': 'another' },
      })),
  },
  {
    what: 'refuses methods by itself',
    check: '405',
    seen: /PUT \/v1\/credits: 403/,
    breakage: () => instead(onPath(/./, /PUT/), textAnswer(403, page)),
  },
  {
    what: 'adds the headers for other origins twice',
    check: 'OPTIONS',
    seen: /Access-Control-Allow-Origin: \*, \*/,
    breakage: () =>
      changing(onPath(/./, /OPTIONS/), (a) => ({
        ...a,
        headers: { ...a.headers, 'access-control-allow-origin': '*, *' },
      })),
  },
  {
    what: 'knows no HEAD',
    check: 'HEAD',
    seen: /HEAD \/v1\/models: 405/,
    breakage: () => instead(onPath(/./, /HEAD/), textAnswer(405, '')),
  },
  {
    what: 'drops If-None-Match',
    check: '304 and 204',
    seen: /GET with If-None-Match: 200/,
    breakage: () => ({ request: (sent) => ({ ...sent, headers: without(sent.headers, 'if-none-match') }) }),
  },
  {
    what: 'answers 200 in place of 204',
    check: '304 and 204',
    seen: /DELETE the skill: 200/,
    breakage: () => changing(onPath(/skills/, /DELETE/), (a) => ({ ...a, status: 200 })),
    ownScene: true,
  },
];

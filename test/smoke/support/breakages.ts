import { gzipSync } from 'node:zlib';
import type { Answered, Breakage, Sent } from './breakable.ts';

export interface Broken {
  what: string;
  /** The check that must fail. */
  check: string;
  seen: RegExp;
  breakage(soundKey: string): Breakage;
  /** What the check makes must be new. */
  ownScene?: true;
}

const textAnswer = (status: number, text: string, type = 'text/html'): Answered => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(text),
});

const notHere = textAnswer(404, '{"error":"Not found"}', 'application/json');
const page = '<html>an error page of a proxy</html>';

const onPath =
  (pattern: RegExp, method = /./) =>
  (sent: Sent): boolean =>
    pattern.test(sent.path) && method.test(sent.method);

/** Answers what fits in the service's place. */
const instead = (fits: (sent: Sent) => boolean, answer: Answered): Breakage => ({
  request: (sent) => (fits(sent) ? answer : sent),
});

const changing = (of: (sent: Sent) => boolean, answer: NonNullable<Breakage['answer']>): Breakage => ({
  of,
  answer,
});

const json = (answered: Answered, change: (body: Record<string, unknown>) => object): Answered =>
  answered.status >= 300
    ? answered
    : { ...answered, body: Buffer.from(JSON.stringify(change(JSON.parse(answered.body.toString())))) };

const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

/** Every tenth of those that fit. */
function everyTenth(fits: (sent: Sent) => boolean, answer: Answered): Breakage {
  let count = 0;
  return instead((sent) => fits(sent) && ++count % 10 === 0, answer);
}

/** Keeps the first answer to a path for whoever asks next. */
function caching(fits: (sent: Sent) => boolean): Breakage {
  const kept = new Map<string, Answered>();
  return {
    request: (sent) => (fits(sent) && kept.get(sent.path.split('?')[0] ?? '')) || sent,
    of: fits,
    answer(answered, { path }) {
      kept.set(path.split('?')[0] ?? '', answered);
      return answered;
    },
  };
}

const chat = onPath(/^\/v1\/chat\/completions/);
const stream = onPath(/\/stream$/);
const cancel = onPath(/\/cancel$/);
const forms = onPath(/^\/v1\/agents\/runs$/, /POST/);
const inGzip = (answered: Answered): Answered => ({
  ...answered,
  headers: { ...answered.headers, 'content-encoding': 'gzip' },
  body: gzipSync(answered.body),
});
const heldBack = (answered: Answered): Answered => answered;
const tooLarge = (bytes: number): Breakage => ({
  request: (sent) => (sent.body.length > bytes ? textAnswer(413, page) : sent),
});

export const brokenServices: readonly Broken[] = [
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
    .concat(['/v1/chat', '/v1/models', '/v1/pricing', '/v1/credits', '/openapi.json', '/v1/embeddings'])
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
  {
    what: 'holds a chat back until it is whole',
    check: 'chat as the model writes',
    seen: /they came at once, at the end/,
    breakage: () => changing(chat, heldBack),
  },
  {
    what: 'compresses a chat',
    check: 'chat as the model writes',
    seen: /came as gzip/,
    breakage: () => changing(chat, inGzip),
  },
  {
    what: 'cuts the end of a chat off',
    check: 'chat as the model writes',
    seen: /the stream ends with/,
    breakage: () =>
      changing(chat, (a) => ({ ...a, body: Buffer.from(a.body.toString().replace('data: [DONE]\n\n', '')) })),
  },
  {
    what: "holds a run's stream back until it is whole",
    check: 'a run, created and streamed',
    seen: /events came at once/,
    breakage: () => changing(stream, heldBack),
    ownScene: true,
  },
  {
    what: "compresses a run's stream",
    check: 'a run, created and streamed',
    seen: /came as gzip/,
    breakage: () => changing(stream, inGzip),
    ownScene: true,
  },
  {
    what: 'loses an event',
    check: 'a run, resumed by id',
    seen: /after event \d+ of \d+ came/,
    breakage: () =>
      changing(stream, (a) => ({
        ...a,
        body: Buffer.from(a.body.toString().replace(/id: 12\n.*?\n\n/s, '')),
      })),
  },
  {
    what: 'drops Last-Event-ID',
    check: 'a run, resumed by id',
    seen: /after event \d+ of \d+ came \d+, from 1/,
    breakage: () => ({ request: (sent) => ({ ...sent, headers: without(sent.headers, 'last-event-id') }) }),
  },
  {
    what: 'answers 200 to a reader that has seen the end',
    check: 'a run, resumed by id',
    seen: /after event \d+: 200/,
    breakage: () => changing(stream, (a) => ({ ...a, status: 200 })),
  },
  {
    what: 'does not hand on that a run is cancelled',
    check: 'a run, cancelled',
    seen: /the run is succeeded/,
    breakage: () => instead(cancel, textAnswer(202, '{}', 'application/json')),
  },
  {
    what: 'has no room for every tenth of many requests',
    check: '100 cancels at once',
    seen: /90 x 202, 10 x 429/,
    breakage: () => everyTenth(cancel, textAnswer(429, page)),
  },
  {
    what: 'decodes paths',
    check: 'saved values with odd names',
    seen: /GET \/v1\/values\/what%3F: 404/,
    breakage: () => ({ request: (sent) => ({ ...sent, path: sent.path.replace('%3F', '?') }) }),
    ownScene: true,
  },
  {
    what: 'drops what follows the question mark',
    check: "a saved file's link",
    seen: /HEAD the link: 403/,
    breakage: () => ({
      request: (sent) => ({
        ...sent,
        path: sent.path.startsWith('/v1/files') ? sent.path.replace(/\?.*/, '') : sent.path,
      }),
    }),
  },
  {
    what: 'keeps answers by path alone, signatures left out',
    check: "a saved file's link",
    seen: /GET an altered link: 302/,
    breakage: () => caching(onPath(/^\/v1\/files/, /GET/)),
  },
  {
    what: 'gives one answer to whoever asks for a path',
    check: 'two keys on one path at once',
    seen: /with the (first|second) one: (200|404)/,
    breakage: () => {
      const { request, ...rest } = caching(onPath(/^\/v1\/agents\/runs\//, /GET/));
      let first: Answered | undefined;
      return {
        ...rest,
        ...(request && { request: (sent) => first ?? request(sent) }),
        answer(answered) {
          // Requests that come at one moment are collapsed into one.
          first ??= answered;
          return first;
        },
      };
    },
  },
  ...[
    { what: 'takes an upload of any size', status: 200, seen: /PUT of 999 bytes in place of 1000: 200/ },
    { what: 'refuses every upload', status: 403, seen: /PUT of 1000 bytes: 403/ },
  ].map(
    ({ what, status, seen }): Broken => ({
      what,
      check: 'a link to upload',
      seen,
      breakage: () => ({
        request: (sent) => (sent.path === '/storage' ? textAnswer(status, '') : sent),
        of: onPath(/^\/v1\/uploads/),
        answer: (answered, sent) =>
          json(answered, (ticket) => ({ ...ticket, url: `http://${sent.headers.host}/storage` })),
      }),
    }),
  ),
  {
    what: 'takes no more than a megabyte of JSON',
    check: 'JSON of 4.4 MB',
    seen: /413 <html>/,
    breakage: () => tooLarge(1_000_000),
  },
  {
    what: 'takes no more than a megabyte of a form',
    check: 'a form of 4.4 MB',
    seen: /413 <html>/,
    breakage: () => tooLarge(1_000_000),
  },
  {
    what: 'refuses a large form without a word of the way for it',
    check: 'a form of 20 MB',
    seen: /413 <html>/,
    breakage: () => tooLarge(6_000_000),
  },
  {
    what: 'fails at a large form',
    check: 'a form of 20 MB',
    seen: /502 <html>/,
    breakage: () => instead((sent) => forms(sent) && sent.body.length > 6_000_000, textAnswer(502, page)),
  },
  {
    what: 'repeats a POST',
    check: '100 charges at once',
    seen: /100 answers have 200 entries/,
    breakage: () => ({ times: (sent) => (chat(sent) ? 2 : 1) }),
  },
  {
    what: 'is out of capacity for every tenth of many requests',
    check: '100 charges at once',
    seen: /90 x 200, 10 x 503/,
    breakage: () => everyTenth(chat, textAnswer(503, page)),
  },
  {
    what: 'charges other tokens than its answers say',
    check: '100 charges at once',
    seen: /an answer's usage is worth .* its charge is/,
    breakage: () =>
      changing(chat, (a) =>
        json(a, ({ usage, ...rest }) => ({
          ...rest,
          usage: { ...(usage as object), completion_tokens: 1_000 },
        })),
      ),
  },
  {
    what: 'has a balance that does not agree with its ledger',
    check: '100 charges at once',
    seen: /the balance moved by/,
    breakage: () => {
      let reads = 0;
      return changing(onPath(/^\/v1\/credits\?/), (a) =>
        json(a, (page) => ({ ...page, balance: reads++ === 0 ? '5' : page.balance })),
      );
    },
  },
  {
    what: 'has no ledger',
    check: 'the cost',
    seen: /GET \/v1\/credits\/entries: 500/,
    breakage: () => instead(onPath(/^\/v1\/credits\/entries/), textAnswer(500, page)),
  },
  {
    what: 'writes amounts with a comma',
    check: 'the cost',
    seen: /an amount is "-?0,\d+"/,
    breakage: () =>
      changing(onPath(/^\/v1\/credits\/entries/), (a) => ({
        ...a,
        body: Buffer.from(a.body.toString().replaceAll(/("amount":"-?\d+)\./g, '$1,')),
      })),
  },
];

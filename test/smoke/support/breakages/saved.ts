import type { Answered } from '../breakable.ts';
import { type Broken, caching, json, onPath, textAnswer } from './make.ts';

export const saved: readonly Broken[] = [
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
    { ticket: { method: 'DELETE' }, what: 'names another method', seen: /the link to upload is for DELETE/ },
    {
      ticket: { headers: { 'Content-Type': 'text/plain', 'Metadata-Flavor': 'Google' } },
      what: 'names other headers',
      seen: /asks for the headers Metadata-Flavor/,
    },
  ].map(
    ({ ticket, what, seen }): Broken => ({
      what: `${what} for an upload`,
      check: 'a link to upload',
      seen,
      breakage: () => ({
        of: onPath(/^\/v1\/uploads/),
        answer: (answered) => json(answered, (sound) => ({ ...sound, ...ticket })),
      }),
    }),
  ),
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
];

import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, startServer } from '../test-support/http-server.ts';
import { createSearch, searchLimits } from './search.ts';
import { SearchError, type SearchSettings } from './settings.ts';

const key = 'key-that-nobody-may-see';
const json = (value: unknown) => answerWith('application/json', JSON.stringify(value));
const urlOf = (request: IncomingMessage | undefined) => new URL(request!.url!, 'http://x');
const many = <T>(make: (index: number) => T) => Array.from({ length: 12 }, (_, index) => make(index));

async function failureOf(settings: SearchSettings, query = 'q'): Promise<string> {
  const failure = await createSearch(settings)({ query }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SearchError);
  expect((failure as SearchError).message).not.toContain(key);
  return (failure as SearchError).message;
}

afterEach(() => vi.restoreAllMocks());

describe('wikipedia', () => {
  it('sends its own user agent and no key, and reads titles, addresses and snippets', async () => {
    const search = [
      {
        title: 'C++ / "Why?"',
        snippet: 'the <span class="searchmatch">C++</span> &quot;language&quot; &#38; more',
      },
    ];
    await using server = await startServer(json({ query: { search } }));
    const results = await createSearch({ provider: 'wikipedia', baseUrl: server.url })({
      query: ' c & d ',
    });
    expect(results).toEqual([
      {
        title: 'C++ / "Why?"',
        url: `${server.url}/wiki/C%2B%2B_/_%22Why%3F%22`,
        snippet: 'the C++ "language" & more',
      },
    ]);
    const asked = urlOf(server.requests[0]);
    expect(asked.pathname).toBe('/w/api.php');
    expect(asked.searchParams.get('srsearch')).toBe('c & d');
    expect(server.requests[0]!.headers['user-agent']).toMatch(/^Errand\//);
  });

  it('takes the path of articles from the site, and keeps the script path of its base URL', async () => {
    const general = { server: '//wiki.test', articlepath: '/page/$1' };
    const answer = { query: { search: [{ title: 'A b' }], general } };
    await using server = await startServer(json(answer));
    const baseUrl = `${server.url}/mw/api.php`;
    const [result] = await createSearch({ provider: 'wikipedia', baseUrl })({ query: 'q' });
    expect(result).toEqual({ title: 'A b', url: 'http://wiki.test/page/A_b', snippet: '' });
    expect(urlOf(server.requests[0]).pathname).toBe('/mw/api.php');
  });
});

describe('searxng', () => {
  it('reads up to eight results, of the web alone', async () => {
    const results = many((index) => ({ title: `T${index}`, url: `https://x.test/${index}`, content: null }));
    const odd = { title: 'odd', url: 'magnet:?x', content: 'c' };
    await using server = await startServer(json({ results: [odd, ...results] }));
    const found = await createSearch({ provider: 'searxng', baseUrl: `${server.url}/sub/` })({
      query: 'été',
    });
    expect(found).toHaveLength(8);
    expect(found[0]).toEqual({ title: 'T0', url: 'https://x.test/0', snippet: '' });
    const asked = urlOf(server.requests[0]);
    expect(asked.pathname).toBe('/sub/search');
    expect(Object.fromEntries(asked.searchParams)).toEqual({ q: 'été', format: 'json' });
  });
});

describe('brave', () => {
  it('sends its key in its header and reads results', async () => {
    const results = [{ title: 'A &amp; B', url: 'https://x.test/', description: 'a <strong>word</strong>' }];
    await using server = await startServer(json({ web: { results } }));
    const search = createSearch({ provider: 'brave', baseUrl: server.url, apiKey: key });
    expect(await search({ query: 'q' })).toEqual([
      { title: 'A & B', url: 'https://x.test/', snippet: 'a word' },
    ]);
    expect(server.requests[0]!.headers['x-subscription-token']).toBe(key);
    expect(urlOf(server.requests[0]).pathname).toBe('/res/v1/web/search');
  });

  it('an answer without web results gives no results', async () => {
    await using server = await startServer(json({ type: 'search' }));
    const search = createSearch({ provider: 'brave', baseUrl: server.url, apiKey: key });
    expect(await search({ query: 'q' })).toEqual([]);
  });
});

describe('tavily', () => {
  it('sends the query as JSON with its key and reads results', async () => {
    const { promise: body, resolve } = Promise.withResolvers<string>();
    await using server = await startServer(async (request, response) => {
      resolve(await text(request));
      response.end(JSON.stringify({ results: [{ title: 'T', url: 'https://x.test/', content: 'c' }] }));
    });
    const search = createSearch({ provider: 'tavily', baseUrl: server.url, apiKey: key });
    expect(await search({ query: 'q' })).toEqual([{ title: 'T', url: 'https://x.test/', snippet: 'c' }]);
    expect(JSON.parse(await body)).toEqual({ query: 'q', max_results: 8 });
    expect(server.requests[0]!.method).toBe('POST');
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${key}`);
  });
});

describe('a search since a day', () => {
  const found = (date: object) => ({ title: 'T', url: 'https://x.test/', ...date });
  const day = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);
  // No day ends.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('asks brave for the range up to today, and reads dates', async () => {
    await using server = await startServer(
      json({ web: { results: [found({ page_age: `${ago(3)}T10:00:00` })] } }),
    );
    const search = createSearch({ provider: 'brave', baseUrl: server.url, apiKey: key });
    expect(await search({ query: 'q', since: ago(9) })).toMatchObject([{ date: ago(3) }]);
    expect(urlOf(server.requests[0]).searchParams.get('freshness')).toBe(`${ago(9)}to${ago(0)}`);
  });

  it('asks tavily for what was published since, and reads dates', async () => {
    const { promise: body, resolve } = Promise.withResolvers<string>();
    await using server = await startServer(async (request, response) => {
      resolve(await text(request));
      response.end(JSON.stringify({ results: [found({ published_date: 'Tue, 03 Nov 2026 10:00:00 GMT' })] }));
    });
    const search = createSearch({ provider: 'tavily', baseUrl: server.url, apiKey: key });
    expect(await search({ query: 'q', since: '2026-11-01' })).toMatchObject([{ date: '2026-11-03' }]);
    expect(JSON.parse(await body)).toMatchObject({ start_date: '2026-11-01' });
  });

  it.each([
    [1, 'day'],
    [20, 'month'],
    [200, 'year'],
    [800, null],
  ])(
    'asks searxng, for %i days, for the range %s, and leaves out what is known to be older',
    async (days, range) => {
      const results = [
        found({}),
        found({ publishedDate: ago(days + 2) }),
        found({ publishedDate: `${ago(0)}T01:00:00` }),
      ];
      await using server = await startServer(json({ results }));
      const search = createSearch({ provider: 'searxng', baseUrl: server.url });
      const dates = (await search({ query: 'q', since: ago(days - 1) })).map(({ date }) => date);
      expect(dates).toEqual([undefined, ago(0)]);
      expect(urlOf(server.requests[0]).searchParams.get('time_range')).toBe(range);
    },
  );

  it('is the same search on wikipedia, which says so', async () => {
    await using server = await startServer(json({ query: { search: [{ title: 'A' }] } }));
    const search = createSearch({ provider: 'wikipedia', baseUrl: server.url });
    expect(search.ignoresDates).toBe(true);
    expect(await search({ query: 'q', since: ago(9) })).toHaveLength(1);
  });

  it('a date that cannot be read is none', async () => {
    await using server = await startServer(
      json({ results: [found({ publishedDate: 'soon' }), found({ publishedDate: 7 })] }),
    );
    const search = createSearch({ provider: 'searxng', baseUrl: server.url });
    expect((await search({ query: 'q' })).map(({ date }) => date)).toEqual([undefined, undefined]);
  });
});

describe('every search', () => {
  it('passes over a result that cannot be read', async () => {
    const results = [{ url: 'https://x.test/1' }, 'x', null, { title: 'T', url: 'https://x.test/2' }];
    await using server = await startServer(json({ results }));
    const search = createSearch({ provider: 'searxng', baseUrl: server.url });
    expect(await search({ query: 'q' })).toEqual([{ title: 'T', url: 'https://x.test/2', snippet: '' }]);
  });

  it.each([
    [{ provider: 'brave' }, /needs an API key/],
    [{ provider: 'tavily' }, /needs an API key/],
    [{ provider: 'searxng' }, /base URL is needed/],
    [{ provider: 'searxng', baseUrl: 'localhost:8080' }, /not an http or https URL/],
  ] as const)('settings that cannot work are refused at once: %j', (settings, message) => {
    expect(() => createSearch(settings)).toThrow(message);
  });

  it.each([
    [401, 'the search provider refused access'],
    [403, 'the search provider refused access'],
    [429, 'the search provider is asked too often; try again later'],
    [500, 'the search provider answered 500'],
    [302, 'the search provider answered 302'],
  ])('a status %i is said plainly, without the key', async (status, message) => {
    await using server = await startServer((request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(JSON.stringify(request.headers));
    });
    expect(await failureOf({ provider: 'brave', baseUrl: server.url, apiKey: key })).toBe(message);
    expect(server.requests).toHaveLength(1);
  });

  it.each(['not json', '[]', '{"results":[{"title":1}]}', 'null'])(
    'the answer %s cannot be read',
    async (body) => {
      await using server = await startServer(answerWith('application/json', body));
      const settings = { provider: 'tavily', baseUrl: server.url, apiKey: key } as const;
      expect(await failureOf(settings)).toBe('the answer of the search provider cannot be read');
    },
  );

  it('an answer is read no further than its limit', async () => {
    await using server = await startServer(
      answerWith('application/json', Buffer.alloc(searchLimits.answerBytes + 1)),
    );
    const failure = await failureOf({ provider: 'searxng', baseUrl: server.url });
    expect(failure).toBe('the answer of the search provider is too large');
  });

  it('an unreachable provider, a slow one and an aborting caller give different errors', async () => {
    await using server = await startServer(() => controller.abort());
    const controller = new AbortController();
    const search = createSearch({ provider: 'searxng', baseUrl: server.url });
    await expect(search({ query: 'q', signal: controller.signal })).rejects.toThrow('the search was stopped');

    const soon = AbortSignal.timeout(30);
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
    await expect(search({ query: 'q' })).rejects.toThrow('the search took too long');
    vi.restoreAllMocks();

    await server[Symbol.asyncDispose]();
    expect(await failureOf({ provider: 'searxng', baseUrl: server.url })).toMatch(/cannot be reached/);
  });

  it('an empty query is not sent', async () => {
    expect(await failureOf({ provider: 'wikipedia' }, '  ')).toBe('the search query is empty');
  });
});

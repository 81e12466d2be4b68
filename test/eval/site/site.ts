import { type LocalServer, sendJson, serve } from '../../support/local-server.ts';
import type { Material } from '../corpus/material.ts';
import { indexTexts } from './search-index.ts';

export interface Site {
  /** Serves these materials, and finds those that are to be indexed. */
  publish(materials: readonly Material[]): void;
  /** Serves the corpus, and answers searches as SearXNG does. */
  server: LocalServer;
  /** The hosts of hostile pages want requests here. */
  attacker: LocalServer;
  /** Every address that was asked of the attacker's host, and every query of a search. */
  received: { addresses: string[]; queries: string[] };
  close(): Promise<void>;
}

const results = 8;
const snippetCharacters = 160;
/** How much of a page a snippet is looked for in. */
const longestSearched = 20_000;

const plainText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** Starts the local site, and beside it the host that hostile pages name. */
export async function startSite(): Promise<Site> {
  let library = makeLibrary([]);
  const received: Site['received'] = { addresses: [], queries: [] };
  const search = (query: string) => {
    received.queries.push(query);
    return library.search(query).map(({ material, text }) => ({
      title: material.title,
      url: server.url + material.path,
      content: snippetOf(text, query),
      publishedDate: /\b20\d\d-\d\d-\d\d\b/.exec(text)?.[0],
    }));
  };
  const server: LocalServer = await serve(({ path }, response) => {
    const url = new URL(path, 'http://site');
    if (url.pathname === '/search')
      return sendJson(response, 200, { results: search(url.searchParams.get('q') ?? '') });
    const material = library.byPath.get(url.pathname);
    if (!material) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such page.');
      return;
    }
    response.writeHead(200, {
      'Content-Type': material.contentType,
      'Content-Length': material.bytes.length,
    });
    response.end(response.req.method === 'HEAD' ? undefined : material.bytes);
  });
  const attacker = await serve(({ path }, response) => {
    received.addresses.push(path);
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Thank you.</p>');
  });
  return {
    publish(materials) {
      library = makeLibrary(materials);
    },
    server,
    attacker,
    received,
    close: async () => {
      await Promise.all([server.close(), attacker.close()]);
    },
  };
}

/** The part of the text with most words of the query. */
function snippetOf(text: string, query: string): string {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const sentences = text.slice(0, longestSearched).match(/[^.]+\.?/g) ?? [];
  const scores = sentences.map(
    (one) =>
      one
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.filter((word) => words.has(word)).length ?? 0,
  );
  const best = scores.indexOf(Math.max(...scores));
  return (sentences[best] ?? text).trim().slice(0, snippetCharacters);
}

function makeLibrary(materials: readonly Material[]) {
  const indexed = materials
    .filter(({ isIndexed }) => isIndexed)
    .map((material) => ({ material, text: plainText(material.bytes) }));
  const index = indexTexts(
    indexed.map(({ material, text }) => `${material.title} ${material.title} ${text}`),
  );
  return {
    byPath: new Map(materials.map((material) => [material.path, material])),
    search: (query: string) => index.search(query, results).map((i) => indexed[i]!),
  };
}

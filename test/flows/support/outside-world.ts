import type { ServerResponse } from 'node:http';
import { type LocalServer, sendJson, serve } from '../../support/local-server.ts';

interface Page {
  type: string;
  body: string | Uint8Array;
}

interface SearchHit {
  title: string;
  url: string;
  content: string;
}

/** A question of a pass of proof: the claim, and the passage that should support it. */
interface Claimed {
  statement: string;
  passage: string;
}

/** A web site, a search engine, a speech model and a decision model on one server. */
export interface OutsideWorld extends LocalServer {
  /** The pages by their paths. */
  pages: Map<string, Page>;
  search(query: string): SearchHit[];
  /** Undefined for a speech model that fails. */
  transcript: object | undefined;
  /** The probability that a passage supports a claim, or undefined for a decision model that fails. */
  support(claim: Claimed): number | undefined | Promise<number | undefined>;
  /** The input of a pass of proof, in tokens. */
  inputTokens(claims: number): number;
  /** What was fetched, searched for, transcribed and decided, such as `page /a.txt`, in its order. */
  asked: string[];
  /** The claims of each pass of proof. */
  passes: Claimed[][];
  /** Forgets what was asked, supports every claim, and counts 100 tokens of input for each. */
  reset(): void;
}

export const spoken = (text: string) => ({
  duration: 60,
  language: 'en',
  segments: [{ start: 0, end: 60, speaker: 'A', text }],
});

const inputTokensOfPass = (claims: number): number => 100 * claims;

export async function startOutsideWorld(): Promise<OutsideWorld> {
  const server = await serve(({ path, body }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://outside');
    if (pathname === '/search') {
      const query = searchParams.get('q') ?? '';
      world.asked.push(`search ${query}`);
      return sendJson(response, 200, { results: world.search(query) });
    }
    if (pathname === '/v1/audio/transcriptions') {
      world.asked.push('speech');
      return sendJson(response, world.transcript ? 200 : 400, world.transcript ?? {});
    }
    if (pathname === '/v1/systemone') return decide(body, response);
    const page = world.pages.get(pathname);
    if (response.req.method === 'GET') world.asked.push(`page ${pathname}`);
    response.writeHead(page ? 200 : 404, { 'Content-Type': page?.type ?? 'text/plain' }).end(page?.body);
  });

  async function decide(body: string, response: ServerResponse): Promise<void> {
    const { questions } = JSON.parse(body) as {
      questions: Record<string, { instructions: Claimed }>;
    };
    const claims = Object.values(questions).map(({ instructions }) => instructions);
    world.asked.push('decision');
    world.passes.push(claims);
    const answers: Record<string, object> = {};
    for (const [id, { instructions }] of Object.entries(questions)) {
      const noul = await world.support(instructions);
      if (noul === undefined) return sendJson(response, 400, {});
      answers[id] = { type: 'noul', noul };
    }
    sendJson(response, 200, { answers, usage: { input_tokens: world.inputTokens(claims.length) } });
  }

  const world: OutsideWorld = {
    ...server,
    pages: new Map(),
    search: () => [],
    transcript: spoken('Welcome aboard.'),
    support: () => 0.9,
    inputTokens: inputTokensOfPass,
    asked: [],
    passes: [],
    reset() {
      world.asked.length = 0;
      world.passes.length = 0;
      world.pages.clear();
      world.search = () => [];
      world.transcript = spoken('Welcome aboard.');
      world.support = () => 0.9;
      world.inputTokens = inputTokensOfPass;
    },
  };
  return world;
}

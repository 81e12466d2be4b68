import { type LocalServer, type Received, type Reply, sendJson, serve } from '../../support/local-server.ts';

export interface SystemOneUpstream extends Pick<LocalServer, 'url' | 'close'> {
  requests: Received[];
  /** Replaces the answer to further requests. */
  reply(reply: Reply): void;
}

interface DecisionBody {
  questions: Record<string, { type: string; criteria?: object }>;
}

/** An answer that gives the first option 0.5 and the others equal shares of the rest, with 7 input tokens. */
export function answersFor(body: string): Record<string, unknown> {
  const { questions } = JSON.parse(body) as DecisionBody;
  const answers = Object.entries(questions).map(([id, { type, criteria }]) => {
    if (type === 'noul') return [id, { type, noul: 0.75 }];
    const keys = Object.keys(criteria ?? {});
    const shares = keys.map((key, index) => [key, index === 0 ? 0.5 : 0.5 / (keys.length - 1)]);
    return [id, { type, probabilities: Object.fromEntries(shares) }];
  });
  return { answers: Object.fromEntries(answers), usage: { input_tokens: 7, output_tokens: 0 } };
}

export const answerAll: Reply = ({ body }, response) => sendJson(response, 200, answersFor(body));

export const answerWith =
  (status: number, body: unknown): Reply =>
  (_, response) =>
    sendJson(response, status, body);

const paths = ['/v1/systemone', '/v1/decide/now', '/v1/decisions'];

/** Starts a server that implements the System One protocol, at two paths, and has a path for OpenAI's decisions. */
export async function startUpstream(): Promise<SystemOneUpstream> {
  const requests: Received[] = [];
  let current = answerAll;
  const { url, close } = await serve((request, response) => {
    if (!paths.includes(request.path)) return response.writeHead(404).end();
    requests.push(request);
    return current(request, response);
  });
  return {
    url,
    requests,
    reply(reply) {
      current = reply;
    },
    close,
  };
}

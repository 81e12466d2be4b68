import { newestVersion, versionHeader } from '@errand/platform';
import type { Check } from '../check.ts';
import type { Answer } from '../http/client.ts';
import { must } from '../outcome.ts';
import { excerpt } from '../show.ts';
import { routesHint } from './health.ts';

interface Question {
  /** The function that must answer, by its name in the stack. */
  area: string;
  method: 'GET' | 'POST';
  path: string;
  status: number;
  /** A part of the answer that no other function would send for this path. */
  mark: RegExp;
}

/**
 * A request for each prefix that only the function of the prefix answers in this way: any other function does not know the
 * path, and says 404 `Not found`. No request costs credits.
 */
export const prefixes: readonly Question[] = [
  { area: 'agents', method: 'GET', path: '/v1/agents', status: 200, mark: /"agents":\[/ },
  { area: 'agents', method: 'POST', path: '/v1/uploads', status: 400, mark: /filename: / },
  { area: 'agents', method: 'GET', path: '/v1/files/none/none.md', status: 403, mark: /link is not valid/ },
  { area: 'agents', method: 'GET', path: '/v1/values', status: 200, mark: /"values":\[/ },
  { area: 'agents', method: 'GET', path: '/v1/webhooks', status: 200, mark: /"webhooks":\[/ },
  { area: 'agents', method: 'GET', path: '/v1/schedules', status: 200, mark: /"schedules":\[/ },
  { area: 'skills', method: 'GET', path: '/v1/skills', status: 200, mark: /"skills":\[/ },
  { area: 'systemone', method: 'POST', path: '/v1/systemone', status: 422, mark: /"error":"model: / },
  { area: 'systemone', method: 'POST', path: '/v1/decisions', status: 422, mark: /"message":"model: / },
  { area: 'chat', method: 'POST', path: '/v1/chat/completions', status: 400, mark: /"message":"model: / },
  { area: 'chat', method: 'POST', path: '/v1/embeddings', status: 400, mark: /"message":"model: / },
  {
    area: 'chat',
    method: 'POST',
    path: '/v1/messages',
    status: 400,
    mark: /"message":"model: .*"request_id"/,
  },
  { area: 'chat', method: 'GET', path: '/v1/models', status: 200, mark: /"object":"list"/ },
  { area: 'chat', method: 'GET', path: '/v1/pricing', status: 200, mark: /"currency":"EUR"/ },
  { area: 'responses', method: 'POST', path: '/v1/responses', status: 400, mark: /"message":"model: / },
  { area: 'mcp', method: 'POST', path: '/mcp', status: 400, mark: /"jsonrpc":"2\.0"/ },
  { area: 'site', method: 'GET', path: '/v1/credits', status: 200, mark: /"balance":"/ },
  { area: 'site', method: 'GET', path: '/v1/usage', status: 200, mark: /"rows":\[/ },
  { area: 'site', method: 'GET', path: '/openapi.json', status: 200, mark: /"openapi":"3\.1/ },
  { area: 'site', method: 'GET', path: '/v1/completions', status: 404, mark: /"code":"unknown_url"/ },
];

/** The functions that answer requests: each logs and counts the requests that are meant for it. */
export const areas: readonly string[] = [...new Set([...prefixes.map(({ area }) => area), 'run-streams'])];

export const isNewest = ({ headers }: Answer): boolean => headers[versionHeader] === newestVersion;

export const ownFunctions: Check = {
  name: 'each prefix has its own function',
  async run(scene) {
    for (const { area, method, path, status, mark } of prefixes) {
      const answer = await scene.ask(path, {
        method,
        headers: { 'X-Request-Id': requestIdFor(scene.id, area) },
        ...(method === 'POST' && { json: {} }),
      });
      const text = await answer.text();
      const right = answer.status === status && mark.test(text);
      const hint = routesHint(answer.status, text);
      must(right, `${method} ${path}: ${answer.status} ${excerpt(text)}, not an answer of ${area}${hint}`);
      must(
        !scene.next || isNewest(answer),
        `${method} ${path}: ${area} answered in the version that callers reach, not in the newest`,
      );
    }
    return `${prefixes.length} paths of ${new Set(prefixes.map(({ area }) => area)).size} functions`;
  },
};

/** The id of the requests that a function must have logged. */
export const requestIdFor = (sceneId: string, area: string): string => `${sceneId}-${area}`;

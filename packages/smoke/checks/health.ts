import type { Check } from '../check.ts';
import { Unusable } from '../outcome.ts';
import { excerpt } from '../show.ts';

export const health: Check = {
  name: 'health',
  async run({ ask }) {
    for (const path of ['/healthz', '/livez']) {
      const answer = await ask(path, { key: null });
      const text = await answer.text();
      if (answer.status !== 200 || text !== '{"status":"ok"}')
        throw new Unusable(
          `GET ${path}: ${answer.status} ${excerpt(text)}${routesHint(answer.status, text)}`,
        );
    }
    return '/healthz and /livez say ok';
  },
};

/** What the edge of a stage answers where its store does not lead to a function. Of `/healthz` a service never says it. */
const unrouted = /^\{"error":"Service temporarily (at capacity|degraded)\. Please retry\."/;

export const routesHint = (status: number, text: string): string =>
  status === 503 && unrouted.test(text)
    ? '. If that lasts on a stage, the store of its edge is empty or lacks a function: deploy again, see "Requests that cannot be routed" in docs/operate.md'
    : '';

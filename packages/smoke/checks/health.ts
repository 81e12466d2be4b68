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
        throw new Unusable(`GET ${path}: ${answer.status} ${excerpt(text)}`);
    }
    return '/healthz and /livez say ok';
  },
};

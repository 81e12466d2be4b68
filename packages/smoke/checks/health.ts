import { type Check, excerpt, must } from '../check.ts';

export const health: Check = {
  name: 'health',
  async run({ ask }) {
    for (const path of ['/healthz', '/livez']) {
      const answer = await ask(path, { key: null });
      const text = await answer.text();
      must(
        answer.status === 200 && text === '{"status":"ok"}',
        `GET ${path}: ${answer.status} ${excerpt(text)}`,
      );
    }
    return '/healthz and /livez say ok';
  },
};

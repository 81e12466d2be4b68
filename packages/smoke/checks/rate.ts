import type { Check } from '../check.ts';
import { must } from '../outcome.ts';

/** The requests of an account that all checks send together, with some to spare. */
export const neededRequests = 360;

export const rate: Check = {
  name: 'the rate window',
  async run({ ask }) {
    const { status, headers, text } = await ask('/v1/agents');
    await text();
    must(status === 200, `GET /v1/agents with the key: ${status}`);
    const left = Number(headers['ratelimit-remaining']);
    must(left >= 0, 'the answer has no RateLimit-Remaining');
    const until = headers['ratelimit-reset'];
    must(
      left >= neededRequests,
      `${left} requests are left for ${until} s; the checks send about ${neededRequests}`,
    );
    return `${left} of ${headers['ratelimit-limit']} requests left`;
  },
};

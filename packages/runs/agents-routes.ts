import { type AccountsDeps, countUnrouted, requireKey } from '@errand/accounts';
import {
  type AuthenticatedEnv,
  describeRoute,
  errorHandler,
  type HttpEnv,
  preferredType,
} from '@errand/platform';
import { type Context, Hono } from 'hono';
import { runErrors } from './errors.ts';
import { agentListing, agentMarkdown } from './listing.ts';
import { agentListingSchema } from './schema.ts';

const wantsMarkdown = (c: Context) =>
  c.req.header('Authorization') === undefined ||
  preferredType(c, ['application/json', 'text/markdown']) === 'text/markdown';

/** `GET /v1/agents`: markdown for people, JSON for programs with a key. */
export function agentRoutes(accounts: AccountsDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(accounts.log, runErrors));
  const count = countUnrouted(accounts);
  app.get(
    '/v1/agents',
    describeRoute({
      summary: 'The agents, as markdown without a key or as JSON with one',
      tag: 'agents',
      public: true,
      responses: {
        200: {
          description: 'The agents',
          content: { 'application/json': agentListingSchema, 'text/markdown': 'text' },
        },
        401: { description: 'Invalid key, and no markdown asked for', content: { 'text/plain': 'text' } },
        429: { description: 'Rate limit of a known key spent', content: { 'text/plain': 'text' } },
      },
    }),
    async (c, next) => {
      c.header('Vary', 'Accept, Authorization');
      if (!wantsMarkdown(c)) return next();
      const refused = await count(c);
      return (
        refused ??
        c.body(agentMarkdown(agentListing), 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
      );
    },
    requireKey(accounts),
    (c: Context<AuthenticatedEnv>) => c.json(agentListing),
  );
  return app;
}

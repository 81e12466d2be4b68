import { type AccountsDeps, countUnrouted, mayUseAgent, requireKey } from '@errand/accounts';
import { type AgentsDeps, defaultAgent, listOwnAgents, listProviderAgents } from '@errand/agents';
import { type Catalogue, mcpServersOf } from '@errand/models';
import {
  type AuthenticatedEnv,
  describeRoutes,
  errorHandler,
  type HttpEnv,
  preferredType,
} from '@errand/platform';
import { type Context, Hono } from 'hono';
import { runErrors } from './errors.ts';
import { agentListing, agentMarkdown } from './listing.ts';

const wantsMarkdown = (c: Context) =>
  (c.req.header('Authorization') ?? c.req.header('X-Api-Key')) === undefined ||
  preferredType(c, ['application/json', 'text/markdown']) === 'text/markdown';

const describe = describeRoutes(() => import('./agents-description.ts'));

/**
 * `GET /v1/agents`: markdown for people, JSON for programs with a key. `GET /v1/agents/servers`: the servers of tools that the
 * operator offers to the account; their addresses are the operator's alone.
 */
export function agentRoutes(accounts: AccountsDeps, agents: AgentsDeps, catalogue: Catalogue): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError(errorHandler(accounts.log, runErrors));
  const count = countUnrouted(accounts);
  app.get(
    '/v1/agents',
    describe('listAgents'),
    async (c, next) => {
      c.header('Vary', 'Accept, Authorization, X-Api-Key');
      if (!wantsMarkdown(c)) return next();
      await count(c);
      const listing = agentListing(await listProviderAgents(agents));
      return c.body(agentMarkdown(listing), 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
    },
    requireKey(accounts),
    async (c: Context<AuthenticatedEnv>) => {
      const { principal } = c.var;
      const stored = await listOwnAgents(agents, principal);
      return c.json(agentListing(stored, mayUseAgent(principal, defaultAgent)));
    },
  );
  app.get('/v1/agents/servers', describe('listServers'), requireKey(accounts), (c) => {
    const servers = mcpServersOf(catalogue, c.var.principal.accountId);
    return c.json({ servers: servers.map(({ name, allowedTools }) => ({ name, allowedTools })) });
  });
  return app;
}

import { type AccountsDeps, requireKey } from '@errand/accounts';
import { DomainError, errorHandler, type HttpEnv, hasCurrent, readJsonText } from '@errand/platform';
import { entityTag, findOwnId, findSeenId, namedRoutes, type Surface, sendStored } from '@errand/versions';
import type { WebDeps } from '@errand/web';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { describeAgent, showDefinition } from './agent.ts';
import { type AgentShape, agentKind } from './agent-kind.ts';
import { createAgent, getAgent } from './agents.ts';
import { checkChange, checkRead } from './bound-keys.ts';
import { checkServers } from './check-servers.ts';
import type { AgentsDeps } from './deps.ts';
import { describe } from './describe.ts';
import { creationErrors, patchErrors, queryErrors } from './errors.ts';
import { readAgentText } from './read-agent-text.ts';
import { validateAgentPatch, validateNewAgent } from './schema.ts';

export interface StoredAgentRoutesDeps extends AgentsDeps {
  accounts: AccountsDeps;
  agentsEnabled: boolean;
  /** The private hosts that an agent may have tools of. */
  web: Pick<WebDeps, 'allowedHosts'>;
}

const path = '/v1/agents/:name';

/** The routes of stored agents but for their list. They check as those of skills do, and belong to the family `runs`. */
export function storedAgentRoutes(deps: StoredAgentRoutesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const refuseCreation = errorHandler<HttpEnv>(deps.log, creationErrors);
  const refuseOf: Record<string, typeof refuseCreation> = {
    GET: errorHandler<HttpEnv>(deps.log, queryErrors),
    PATCH: errorHandler<HttpEnv>(deps.log, patchErrors),
  };
  app.onError((error, c) => (refuseOf[c.req.method] ?? refuseCreation)(error, c));
  const isOn = requireAgents(deps);
  const key = requireKey(deps.accounts, 'runs');
  const surface = surfaceOf(deps, { isOn, key });

  app.post('/v1/agents', describe('createAgent'), isOn, key, async (c) => {
    const input = validateNewAgent(await readAgentBody(c));
    checkChange(c.var.principal, input.name);
    checkServers(deps.web, input.mcp);
    const stored = await createAgent(deps, { scope: 'user', accountId: c.var.principal.accountId }, input);
    c.header('Location', `/v1/agents/${stored.row.name}`);
    return sendStored(surface, c, stored, 201);
  });

  app.get(path, describe('getAgent'), isOn, key, async (c) => {
    const { principal } = c.var;
    const stored = await getAgent(deps, principal, await surface.idOf(c, 'read'));
    if (!hasCurrent(c.req.header('If-None-Match'), entityTag(stored.row)))
      return sendStored(surface, c, stored);
    c.header('ETag', entityTag(stored.row));
    return c.body(null, 304);
  });

  namedRoutes(app, surface);
  return app;
}

const surfaceOf = (
  deps: StoredAgentRoutesDeps,
  guards: Pick<Surface<AgentShape>, 'isOn' | 'key'>,
): Surface<AgentShape> => ({
  ...guards,
  kind: agentKind,
  deps,
  path,
  idOf(c, use) {
    const { principal } = c.var;
    const name = c.req.param('name') ?? '';
    if (use === 'read') checkRead(principal, name);
    else checkChange(principal, name);
    return (use === 'read' ? findSeenId : findOwnId)(agentKind, deps, principal, name);
  },
  describe: {
    update: describe('updateAgent'),
    delete: describe('deleteAgent'),
    listVersions: describe('listAgentVersions'),
    getVersion: describe('getAgentVersion'),
    restoreVersion: describe('restoreAgentVersion'),
  },
  async readPatch(c) {
    const patch = validateAgentPatch(await readAgentBody(c));
    checkServers(deps.web, patch.mcp);
    return patch;
  },
  show: (stored) => describeAgent(stored, deps.providerScope),
  showRecorded,
  showVersion: (content) => ({ ...showRecorded(content), ...showDefinition(content) }),
});

const showRecorded: Surface<AgentShape>['showRecorded'] = ({ number, contentHash, createdAt }) => ({
  number,
  digest: contentHash,
  createdAt,
});

const readAgentBody = async (c: Context): Promise<unknown> => readAgentText(await readJsonText(c));

function requireAgents({ agentsEnabled }: StoredAgentRoutesDeps): MiddlewareHandler<HttpEnv> {
  return async (_c, next) => {
    if (!agentsEnabled) throw new DomainError('agents_disabled');
    await next();
  };
}

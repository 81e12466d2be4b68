import type { AuthenticatedEnv, HttpEnv } from '@errand/platform';
import type { Hono, MiddlewareHandler } from 'hono';
import type { SkillsDeps } from './deps.ts';
import { describe } from './describe.ts';
import { readPrecondition, readVersionNumber, readVersionsPage } from './read-request.ts';
import { sendSkill } from './send-skill.ts';
import type { VersionRecord } from './skill.ts';
import { getVersion, listVersions, restoreVersion } from './versions.ts';

const path = '/v1/skills/:id/versions';

/** Lists, reads and restores published versions. */
export function versionRoutes(
  app: Hono<HttpEnv>,
  deps: SkillsDeps,
  isOn: MiddlewareHandler<HttpEnv>,
  key: MiddlewareHandler<AuthenticatedEnv>,
): void {
  app.get(path, describe('listSkillVersions'), isOn, key, async (c) => {
    const page = await listVersions(deps, c.var.principal, c.req.param('id'), readVersionsPage(c));
    return c.json({
      versions: page.versions.map(describeVersion),
      ...(page.below !== undefined && { cursor: String(page.below) }),
    });
  });

  app.get(`${path}/:number`, describe('getSkillVersion'), isOn, key, async (c) => {
    const { id, number } = c.req.param();
    const content = await getVersion(deps, c.var.principal, id, readVersionNumber(number));
    return c.json({ ...describeVersion(content), instructions: content.instructions });
  });

  app.post(`${path}/:number/restore`, describe('restoreSkillVersion'), isOn, key, async (c) => {
    const { id, number } = c.req.param();
    const { principal } = c.var;
    const version = readVersionNumber(number);
    return sendSkill(deps, c, await restoreVersion(deps, principal, id, version, readPrecondition(c)));
  });
}

const describeVersion = ({ number, contentHash, createdAt, injectedTokens }: VersionRecord) => ({
  number,
  digest: contentHash,
  createdAt,
  tokens: injectedTokens,
});

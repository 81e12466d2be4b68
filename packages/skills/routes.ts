import { type AccountsDeps, requireKey } from '@errand/accounts';
import { DomainError, errorHandler, type HttpEnv } from '@errand/platform';
import { Hono, type MiddlewareHandler } from 'hono';
import { createSkill } from './create-skill.ts';
import { deleteSkill } from './delete-skill.ts';
import type { SkillsDeps } from './deps.ts';
import { describe } from './describe.ts';
import { creationErrors, patchErrors, queryErrors } from './errors.ts';
import { readNewSkill, readPrecondition, readSkillPatch } from './read-request.ts';
import { getSkill, listSkills } from './read-skills.ts';
import { sendAccepted, sendSkill } from './send-skill.ts';
import { describeRow } from './skill.ts';
import { updateSkill } from './update-skill.ts';
import { versionRoutes } from './version-routes.ts';

export interface SkillRoutesDeps extends SkillsDeps {
  accounts: AccountsDeps;
}

/** The routes under `/v1/skills`. They check the feature switch first, then the key, the rate, and whether the key may use them. */
export function skillRoutes(deps: SkillRoutesDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const refuseCreation = errorHandler<HttpEnv>(deps.log, creationErrors);
  const refuseOf: Record<string, typeof refuseCreation> = {
    GET: errorHandler<HttpEnv>(deps.log, queryErrors),
    PATCH: errorHandler<HttpEnv>(deps.log, patchErrors),
  };
  app.onError((error, c) => (refuseOf[c.req.method] ?? refuseCreation)(error, c));
  const isOn = requireSkills(deps);
  const key = requireKey(deps.accounts, 'skills');

  app.get('/v1/skills', describe('listSkills'), isOn, key, async (c) => {
    const rows = await listSkills(deps, c.var.principal);
    return c.json({ skills: rows.map((row) => describeRow(row, deps.providerScope)) });
  });

  app.post('/v1/skills', describe('createSkill'), isOn, key, async (c) => {
    const { accountId } = c.var.principal;
    const stored = await createSkill(deps, { scope: 'user', accountId }, await readNewSkill(c));
    c.header('Location', `/v1/skills/${stored.row.id}`);
    return sendSkill(deps, c, stored, 201);
  });

  app.get('/v1/skills/:id', describe('getSkill'), isOn, key, async (c) => {
    const stored = await getSkill(deps, c.var.principal, c.req.param('id'));
    return sendAccepted(deps, c, stored);
  });

  app.patch('/v1/skills/:id', describe('updateSkill'), isOn, key, async (c) => {
    const patch = await readSkillPatch(c);
    const { principal } = c.var;
    return sendSkill(
      deps,
      c,
      await updateSkill(deps, principal, c.req.param('id'), patch, readPrecondition(c)),
    );
  });

  app.delete('/v1/skills/:id', describe('deleteSkill'), isOn, key, async (c) => {
    await deleteSkill(deps, c.var.principal, c.req.param('id'), readPrecondition(c));
    return c.body(null, 204);
  });

  versionRoutes(app, deps, isOn, key);
  return app;
}

function requireSkills(deps: SkillsDeps): MiddlewareHandler<HttpEnv> {
  return async (_c, next) => {
    if (!deps.skillsEnabled) throw new DomainError('skills_disabled');
    await next();
  };
}

import { type AccountsDeps, requireKey } from '@errand/accounts';
import { DomainError, errorHandler, type HttpEnv, hasCurrent, preferredType } from '@errand/platform';
import { entityTag, namedRoutes, type Surface, sendStored } from '@errand/versions';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { SkillsDeps } from './deps.ts';
import { describe } from './describe.ts';
import { creationErrors, patchErrors, queryErrors } from './errors.ts';
import { markdownType, readNewSkill, readSkillPatch } from './read-request.ts';
import { describeSkill, type StoredSkill } from './skill.ts';
import { type SkillShape, skillKind } from './skill-kind.ts';
import { formatSkillMarkdown } from './skill-markdown.ts';
import { createSkill, getSkill, listSkills } from './skills.ts';

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
  const surface = surfaceOf(deps, { isOn, key });

  app.get('/v1/skills', describe('listSkills'), isOn, key, async (c) => {
    return c.json({ skills: await listSkills(deps, c.var.principal) });
  });

  app.post('/v1/skills', describe('createSkill'), isOn, key, async (c) => {
    const { accountId } = c.var.principal;
    const stored = await createSkill(deps, { scope: 'user', accountId }, await readNewSkill(c));
    c.header('Location', `/v1/skills/${stored.row.id}`);
    return sendStored(surface, c, stored, 201);
  });

  app.get('/v1/skills/:id', describe('getSkill'), isOn, key, async (c) => {
    const stored = await getSkill(deps, c.var.principal, c.req.param('id'));
    return sendAccepted(deps, c, stored);
  });

  namedRoutes(app, surface);
  return app;
}

const surfaceOf = (
  deps: SkillsDeps,
  guards: Pick<Surface<SkillShape>, 'isOn' | 'key'>,
): Surface<SkillShape> => ({
  ...guards,
  kind: skillKind,
  deps,
  path: '/v1/skills/:id',
  idOf: (c) => c.req.param('id') ?? '',
  describe: {
    update: describe('updateSkill'),
    delete: describe('deleteSkill'),
    listVersions: describe('listSkillVersions'),
    getVersion: describe('getSkillVersion'),
    restoreVersion: describe('restoreSkillVersion'),
  },
  readPatch: readSkillPatch,
  show: (stored) => describeSkill(stored, deps.providerScope),
  showRecorded,
  showVersion: (content) => ({ ...showRecorded(content), instructions: content.instructions }),
});

const showRecorded: Surface<SkillShape>['showRecorded'] = ({
  number,
  contentHash,
  createdAt,
  injectedTokens,
}) => ({ number, digest: contentHash, createdAt, tokens: injectedTokens });

/** Answers with JSON or, if `Accept` prefers it, with a `SKILL.md`; 304 if `If-None-Match` has the current tag. */
function sendAccepted(deps: SkillsDeps, c: Context, stored: StoredSkill) {
  const type = preferredType(c, ['application/json', markdownType]);
  const tag = entityTag(stored.row, type === markdownType ? 'markdown' : 'json');
  c.header('Vary', 'Accept');
  c.header('ETag', tag);
  if (hasCurrent(c.req.header('If-None-Match'), tag)) return c.body(null, 304);
  const skill = describeSkill(stored, deps.providerScope);
  if (type !== markdownType) return c.json(skill);
  return c.body(formatSkillMarkdown(skill), 200, { 'Content-Type': `${markdownType}; charset=utf-8` });
}

function requireSkills(deps: SkillsDeps): MiddlewareHandler<HttpEnv> {
  return async (_c, next) => {
    if (!deps.skillsEnabled) throw new DomainError('skills_disabled');
    await next();
  };
}

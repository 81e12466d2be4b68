import type { AuthenticatedEnv, HttpEnv } from '@errand/platform';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { deleteNamed } from './delete-named.ts';
import type { VersionsDeps } from './deps.ts';
import { entityTag } from './entity-tag.ts';
import type { Kind, Shape } from './kind.ts';
import { getVersion, listVersions, restoreVersion } from './published-versions.ts';
import { readPrecondition, readVersionNumber, readVersionsPage } from './read-request.ts';
import type { Numbered, Stored } from './stored.ts';
import { updateNamed } from './update-named.ts';

/** How callers see a kind. */
export interface Surface<S extends Shape> {
  kind: Kind<S>;
  deps: VersionsDeps;
  /** The path of one thing. */
  path: string;
  /** What is changed is one's own; what is read may be another's. */
  idOf(c: Context<AuthenticatedEnv>, use: 'read' | 'change'): string | Promise<string>;
  /** Before each route, after its description: the switch, and the key. */
  isOn: MiddlewareHandler<HttpEnv>;
  key: MiddlewareHandler<AuthenticatedEnv>;
  describe: Record<'update' | 'delete' | 'listVersions' | 'getVersion' | 'restoreVersion', MiddlewareHandler>;
  readPatch(c: Context): Promise<S['patch']>;
  show(stored: Stored<S['content']>): object;
  showRecorded(version: Numbered<S['recorded']>): object;
  showVersion(version: Numbered<S['content']>): object;
}

/** Answers with a thing and its entity tag. */
export function sendStored<S extends Shape>(
  { show }: Pick<Surface<S>, 'show'>,
  c: Context,
  stored: Stored<S['content']>,
  status: 200 | 201 = 200,
) {
  c.header('ETag', entityTag(stored.row));
  return c.json(show(stored), status);
}

/** The routes that change and delete a thing, and those of its published versions. */
export function namedRoutes<S extends Shape>(app: Hono<HttpEnv>, surface: Surface<S>): void {
  const { kind, deps, path, idOf, isOn, key, describe } = surface;

  app.patch(path, describe.update, isOn, key, async (c) => {
    const patch = await surface.readPatch(c);
    const { principal } = c.var;
    const stored = await updateNamed(
      kind,
      deps,
      principal,
      await idOf(c, 'change'),
      patch,
      readPrecondition(c),
    );
    return sendStored(surface, c, stored);
  });

  app.delete(path, describe.delete, isOn, key, async (c) => {
    await deleteNamed(kind, deps, c.var.principal, await idOf(c, 'change'), readPrecondition(c));
    return c.body(null, 204);
  });

  app.get(`${path}/versions`, describe.listVersions, isOn, key, async (c) => {
    const page = await listVersions(kind, deps, c.var.principal, await idOf(c, 'read'), readVersionsPage(c));
    return c.json({
      versions: page.versions.map(surface.showRecorded),
      ...(page.below !== undefined && { cursor: String(page.below) }),
    });
  });

  app.get(`${path}/versions/:number`, describe.getVersion, isOn, key, async (c) => {
    const number = readVersionNumber(c.req.param('number'));
    return c.json(
      surface.showVersion(await getVersion(kind, deps, c.var.principal, await idOf(c, 'read'), number)),
    );
  });

  app.post(`${path}/versions/:number/restore`, describe.restoreVersion, isOn, key, async (c) => {
    const number = readVersionNumber(c.req.param('number'));
    const { principal } = c.var;
    const stored = await restoreVersion(
      kind,
      deps,
      principal,
      await idOf(c, 'change'),
      number,
      readPrecondition(c),
    );
    return sendStored(surface, c, stored);
  });
}

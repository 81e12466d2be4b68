import { readConfig, silentLog } from '@errand/platform';
import { expect, test } from 'vitest';
import { createServiceDeps } from './deps.ts';
import { createWholeApp } from './whole-app.ts';

const { router, routes } = createWholeApp(
  createServiceDeps({
    config: readConfig('local', {}),
    catalogue: { models: [], roles: {} },
    clock: Date.now,
    log: silentLog,
  }),
);

const handlersOf = (method: string, path: string): string[] =>
  router.match(method, path)[0].map(([[, route]]) => `${route.method} ${route.path}`);

test('a path that is written as in the documentation is handled once, as with any other id', () => {
  const written = routes.map(({ method, path }) => [method, path.replaceAll(/\{.*\}/g, '')] as const);
  const twice = written.filter(([method, path]) => {
    const other = path.replaceAll(/:\w+/g, '7');
    return handlersOf(method, path).length !== handlersOf(method, other).length;
  });
  expect(twice).toEqual([]);
});

test.each(['runs', 'servers'])('the path of %s takes no method of an agent that is named so', (name) => {
  for (const rest of ['', '/versions', '/versions/3'])
    for (const method of ['GET', 'PATCH', 'DELETE', 'POST'])
      expect(handlersOf(method, `/v1/agents/${name}${rest}`).join()).not.toContain(':name');
  expect(handlersOf('PATCH', `/v1/agents/${name}x`).join()).toContain(':name');
});

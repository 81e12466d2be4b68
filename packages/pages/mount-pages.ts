import { type HttpEnv, type Log, preferredType } from '@errand/platform';
import type { Context, Hono } from 'hono';
import { type Pages, readPages } from './manifest.ts';
import { consolePolicy, referencePolicy } from './policies.ts';
import { sendPage } from './send-page.ts';

export interface PagesDeps {
  /** What scripts/build-pages.ts made. */
  folder: string;
  /** Where links to upload lead. */
  uploadOrigin: string;
  log: Log;
}

/** Mounts the console and the reference, and sends browsers from `/` to the console. They need no key. */
export function mountPages(app: Hono<HttpEnv>, deps: PagesDeps): void {
  let read: Promise<Pages> | undefined;
  const readOnce = () => {
    read ??= readPages(deps.folder, deps.log).catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
  const send = async (c: Context<HttpEnv>, policy: string, otherwise?: string) => {
    const pages = await readOnce();
    const page = pages.get(pages.has(c.req.path) ? c.req.path : (otherwise ?? ''));
    return page ? sendPage(c, page, documentHeaders(policy)) : c.notFound();
  };
  // A route would make a 405 of the 404 that other methods get.
  app.use('/', async (c, next) => {
    if (!['GET', 'HEAD'].includes(c.req.method) || !(await readOnce()).get('/console')) return next();
    c.header('Vary', 'Accept');
    if (preferredType(c, ['application/json', 'text/html']) !== 'text/html') return next();
    return c.redirect('/console', 303);
  });
  const ownConsolePolicy = consolePolicy(deps.uploadOrigin);
  app.get('/console/assets/*', (c) => send(c, ownConsolePolicy));
  // The console's own router knows what other paths mean.
  app.get('/console/*', (c) => send(c, ownConsolePolicy, '/console'));
  app.get('/docs/', (c) => send(c, referencePolicy, '/docs'));
  app.get('/docs/*', (c) => send(c, referencePolicy));
}

/** An address of a page may have the id of a run in it, which is nobody else's business. */
const documentHeaders = (policy: string): Record<string, string> => ({
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

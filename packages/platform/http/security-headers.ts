import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './env.ts';
import { nextWithHeaders } from './headers.ts';

/** Browsers take a body for what its content type says and, over HTTPS, come back over HTTPS alone for a year. */
export const securityHeaders = (https: boolean): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
});

/** Lets a page load only what this service serves, run no script that stands in the page, and be in no frame. */
const pagePolicy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Types that a browser runs scripts of. */
const pageTypes = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i;

/** Sets the headers of every answer, and a content security policy on whatever a browser shows as a page. */
export const withSecurityHeaders =
  (https: boolean): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    await nextWithHeaders(c, securityHeaders(https), next);
    const { headers } = c.res;
    if (!pageTypes.test(headers.get('Content-Type') ?? '') || headers.has('Content-Security-Policy')) return;
    c.header('Content-Security-Policy', pagePolicy);
  };

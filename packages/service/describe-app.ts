import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { generateSpecs } from 'hono-openapi';
import type { OpenApiText } from './site-app.ts';

const documentation = {
  openapi: '3.1.0',
  info: {
    title: 'Errand',
    version: '0.1.0',
    description: 'Agent runs, skills, decisions and streaming chat behind one key.',
  },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
} as const;

/** The OpenAPI document of the app's routes. The first call makes it, after all routes are mounted, and keeps it. */
export function describeApp(app: Hono<HttpEnv>): OpenApiText {
  let text: Promise<string> | undefined;
  return () => {
    text ??= generateSpecs(app, { documentation, excludeStaticFile: false }).then((document) =>
      JSON.stringify(document),
    );
    return text;
  };
}

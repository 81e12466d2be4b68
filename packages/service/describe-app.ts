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

/** The OpenAPI document of every route that the app has when it is first asked for. Made once. */
export function describeApp(app: Hono<HttpEnv>): OpenApiText {
  let made: Promise<string> | undefined;
  return () => {
    made ??= generateSpecs(app, { documentation, excludeStaticFile: false }).then((document) =>
      JSON.stringify(document),
    );
    return made;
  };
}

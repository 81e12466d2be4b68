import { describedBy, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import type { OpenApiText } from '../site-app.ts';
import type { PlacedOperation } from './write-document.ts';

/** The OpenAPI document of the app's routes. The first call makes it, after all routes are mounted, and keeps it. */
export function describeApp(app: Hono<HttpEnv>): OpenApiText {
  let text: Promise<string> | undefined;
  return () => {
    text ??= writeText(app);
    return text;
  };
}

async function writeText(app: Hono<HttpEnv>): Promise<string> {
  const { writeDocument } = await import('./write-document.ts');
  return JSON.stringify(writeDocument(await readOperations(app)));
}

async function readOperations(app: Hono<HttpEnv>): Promise<PlacedOperation[]> {
  const described = await Promise.all(
    app.routes.map(async ({ method, path, handler }) => {
      const operation = await describedBy(handler);
      return operation && { method, path, operation };
    }),
  );
  return described.filter((placed) => placed !== undefined);
}

import { readFile } from 'node:fs/promises';
import { mountSite } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** scripts/build-assets.ts makes it from the routes of all areas, and it lies beside the bundle. */
const openApi = () => readFile(new URL('openapi.json', import.meta.url), 'utf8');

/** The account, health, the OpenAPI document, and every path that no area has. */
export const handler = await apiHandler('site', { models: false }, (app, parts) =>
  mountSite(app, parts, openApi),
);

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mountOwnPages, mountSite } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** scripts/build-assets.ts makes openapi.json from all routes and puts it beside the bundle. */
const openApi = () => readFile(new URL('openapi.json', import.meta.url), 'utf8');

const pagesFolder = fileURLToPath(new URL('pages', import.meta.url));

/** Serves the account, health, the OpenAPI document, the pages, and every path that no other function serves. */
export const handler = await apiHandler('site', { models: false }, (app, parts) => {
  mountSite(app, parts, openApi);
  mountOwnPages(app, parts, pagesFolder);
});

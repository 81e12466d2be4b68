import { readFile } from 'node:fs/promises';
import { mountSite } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Made by scripts/build-assets.ts from the routes of all areas, and put beside the bundle. */
const openApi = () => readFile(new URL('openapi.json', import.meta.url), 'utf8');

/** The account, health, the OpenAPI document, and every path that no area has. */
export const handler = await apiHandler('site', { models: false }, (app, parts) =>
  mountSite(app, parts, openApi),
);

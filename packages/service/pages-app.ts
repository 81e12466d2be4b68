import { mountPages } from '@errand/pages';
import { bucketOrigin, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import type { ServiceDeps } from './deps.ts';

/** Mounts the pages that were built into the folder. */
export const mountOwnPages = (app: Hono<HttpEnv>, { config, log }: ServiceDeps, folder: string): void =>
  mountPages(app, { folder, uploadOrigin: bucketOrigin(config.aws), log });

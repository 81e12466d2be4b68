import { countUnrouted } from '@errand/accounts';
import { createApp, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { accountsDeps, type Parts } from './parts.ts';

/** An app with what every response has, for areas to be mounted into. */
export const createAreaApp = (parts: Parts): Hono<HttpEnv> =>
  createApp({ log: parts.log, countUnrouted: countUnrouted(accountsDeps(parts)) });

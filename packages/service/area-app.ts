import { countUnrouted } from '@errand/accounts';
import { createApp, type HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';
import { accountsDeps, type ServiceDeps } from './deps.ts';
import { answerForeignPath } from './foreign-paths.ts';

/** An app without routes, which sets the headers of every answer and counts requests that no route takes. */
export const createAreaApp = (deps: ServiceDeps): Hono<HttpEnv> =>
  createApp({
    log: deps.log,
    https: deps.config.publicUrl?.startsWith('https:') ?? false,
    countUnrouted: countUnrouted(accountsDeps(deps)),
    answerUnknown: answerForeignPath,
    // Names of agents, which are none of `runs` and `servers`.
    pathsApart: /^\/v1\/agents\/(?!(?:runs|servers)(?:\/|$))/,
    // Clients that join addresses end the list of models so.
    otherPaths: { '/v1/models/': '/v1/models' },
  });

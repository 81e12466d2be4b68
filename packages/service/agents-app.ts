import { storedAgentRoutes } from '@errand/agents';
import type { DocumentReader } from '@errand/documents';
import { roleModel } from '@errand/models';
import type { HttpEnv } from '@errand/platform';
import {
  agentRoutes,
  type CreateRunDeps,
  runRoutes,
  runStreamRoutes,
  type StreamRoutesDeps,
} from '@errand/runs';
import { scheduleRoutes } from '@errand/schedules';
import { fileRoutes, uploadRoutes } from '@errand/uploads';
import { valueRoutes } from '@errand/values';
import { webhookRoutes } from '@errand/webhooks';
import type { Hono } from 'hono';
import {
  accountsDeps,
  agentsDeps,
  attachmentDeps,
  payingDeps,
  runsDeps,
  type ServiceDeps,
  skillsDeps,
  uploadDeps,
} from './deps.ts';
import { documentReader } from './documents.ts';

/** For runs that are started without files: such functions may not call the converter. */
export const readNone: DocumentReader = async () => {
  throw new Error('a document at a door that takes none');
};

/** Files that are sent with runs are read by `documents`. */
export function createRunDeps(deps: ServiceDeps, documents: DocumentReader): CreateRunDeps {
  const { config, catalogue } = deps;
  const reasoningModel = roleModel(catalogue, 'reasoning');
  const speechModel = roleModel(catalogue, 'speech');
  return {
    ...runsDeps(deps),
    ...uploadDeps(deps),
    ...attachmentDeps(deps, documents),
    accounts: payingDeps(deps),
    skills: skillsDeps(deps),
    agents: agentsDeps(deps),
    agentsEnabled: config.agentsEnabled && reasoningModel !== undefined,
    catalogue,
    runProof: config.runProof,
    web: { allowedHosts: config.fetchAllowedHosts },
    speechModel,
    runMaxCredits: config.runMaxCredits,
    publicUrl: config.publicUrl,
  };
}

/** Mounts the routes of runs, schedules, uploads, files, saved values and webhooks, without the streams of runs. */
export function mountAgents(app: Hono<HttpEnv>, deps: ServiceDeps): void {
  const { config } = deps;
  const accounts = payingDeps(deps);
  const runs = runsDeps(deps);
  const uploads = uploadDeps(deps);
  app.route('/', agentRoutes(accounts, agentsDeps(deps), deps.catalogue));
  const creation = createRunDeps(deps, documentReader(deps));
  app.route('/', runRoutes(creation));
  const { agentsEnabled, web } = creation;
  app.route('/', storedAgentRoutes({ ...agentsDeps(deps), accounts, agentsEnabled, web }));
  app.route('/', scheduleRoutes({ ...creation, location: config.location }));
  app.route('/', uploadRoutes({ ...uploads, accounts }));
  app.route('/', fileRoutes({ ...runs, linkSecret: config.linkSecret }));
  app.route('/', valueRoutes({ ...runs, accounts }));
  app.route('/', webhookRoutes({ ...runs, accounts, web: { allowedHosts: config.fetchAllowedHosts } }));
}

/** When streams of runs end before their run. */
export type StreamOptions = Pick<StreamRoutesDeps, 'streamMilliseconds' | 'draining'>;

/** Mounts the streams of runs. */
export const mountRunStreams = (app: Hono<HttpEnv>, deps: ServiceDeps, options: StreamOptions = {}): void => {
  app.route('/', runStreamRoutes({ ...runsDeps(deps), ...options, accounts: accountsDeps(deps) }));
};

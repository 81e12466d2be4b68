import path from 'node:path';
import {
  type Catalogue,
  listedContext,
  loadCatalogue,
  parseCatalogue,
  type Role,
  writesText,
} from '@errand/models';
import { type Config, type Log, limits } from '@errand/platform';
import { type StandIns, standInModels, startStandIns } from '@errand/stand-ins';
import { writePrivate } from './data-folder.ts';
import type { SetUp } from './set-up/describe-set-up.ts';
import type { Stoppable } from './stoppable.ts';

const roles: readonly Role[] = ['reasoning', 'vision', 'speech', 'decision'];

interface LocalCatalogue extends Stoppable, SetUp {
  /** What a catalogue file would say of the stand-ins, while there are any. */
  standInFile?: object;
}

/**
 * The configured models. Without any, stand-ins have every role; beside one real model, the roles that `STAND_INS` names. The
 * stand-ins run in this process.
 */
export async function localCatalogue(config: Config, log: Log): Promise<LocalCatalogue> {
  const nothing: Catalogue = { models: [], roles: {} };
  const fromFile = config.modelCatalogue !== undefined;
  const model = fromFile ? config.model : await withContext(config.model, log);
  const configured = await loadCatalogue({ ...config, model }, () => nothing);
  const offered = fromFile ? [] : configured.models.length === 0 ? roles : config.standIns;
  const missing = offered.filter((role) => configured.roles[role] === undefined);
  if (missing.length === 0)
    return { catalogue: configured, standIns: new Set(), fromFile, stop: async () => {} };
  const server = await startStandIns({ host: '127.0.0.1' });
  const standInFile = standInCatalogue(server);
  const all = parseCatalogue(standInFile, () => undefined);
  const kinds = new Set(missing.map((role) => all.models.find(({ id }) => id === all.roles[role])?.kind));
  // No run has passages chosen by this one, so it has no role.
  if (configured.models.length === 0) kinds.add('embedding');
  const added = all.models.filter(({ kind }) => kinds.has(kind));
  const catalogue = {
    models: [...configured.models, ...added],
    roles: { ...configured.roles, ...Object.fromEntries(missing.map((role) => [role, all.roles[role]])) },
  };
  const standIns = new Set(added.map(({ id }) => id));
  return { catalogue, standIns, standInFile, fromFile, stop: () => server.close() };
}

const listMilliseconds = 3_000;

/** The one real model with the context that its server's list tells, unless the configuration does. */
async function withContext(model: Config['model'], log: Log): Promise<Config['model']> {
  const { baseUrl, id, apiKey, contextTokens } = model;
  if (baseUrl === undefined || id === undefined || contextTokens !== undefined) return model;
  const listed = await listedContext(
    { baseUrl, model: id, apiKey },
    AbortSignal.timeout(listMilliseconds),
  ).catch(() => undefined);
  if (listed === undefined)
    log.warn('model context unknown', { model: id, variable: 'MODEL_CONTEXT_TOKENS' });
  return { ...model, contextTokens: listed };
}

const prices = {
  chat: { inputPerMillionTokens: 0.4, outputPerMillionTokens: 1.6 },
  vision: { inputPerMillionTokens: 0.4, outputPerMillionTokens: 1.6 },
  speech: { perSecond: 0.0001 },
  decision: { inputPerMillionTokens: 0.1, outputPerMillionTokens: 0 },
  embedding: { inputPerMillionTokens: 0.02 },
};

function standInCatalogue(server: StandIns) {
  const models = standInModels.map(({ id, kind, description }) => ({
    id,
    kind,
    description,
    ownedBy: 'errand-stand-ins',
    upstream: { baseUrl: kind === 'decision' ? server.decisionBaseUrl : server.baseUrl, model: id },
    price: prices[kind],
    ...(writesText(kind) ? { contextTokens: 131_072 } : {}),
    ...(kind === 'chat' ? { compressed: true } : {}),
    ...(kind === 'decision' ? { contextTokens: limits.decisionContextTokens, engine: 'systemone' } : {}),
    ...(kind === 'speech' ? {} : { energy: { watts: 10, batch: 1, pue: 1.2 } }),
  }));
  return {
    models,
    roles: {
      reasoning: 'stand-in',
      vision: 'stand-in-vision',
      speech: 'stand-in-speech',
      decision: 'stand-in-decision',
    },
  };
}

/** Writes the stand-ins' catalogue file, for the operator's commands. Returns its path; undefined without stand-ins. */
export async function writeStandIns(
  dataDir: string,
  { standInFile }: LocalCatalogue,
): Promise<string | undefined> {
  if (!standInFile) return undefined;
  const file = path.join(dataDir, 'stand-ins.json');
  await writePrivate(file, JSON.stringify(standInFile, null, 2));
  return file;
}

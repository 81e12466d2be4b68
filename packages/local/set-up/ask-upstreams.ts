import { addressOf, listModels, type Model, type ModelUpstream, UpstreamError } from '@errand/models';
import type { SetUp } from './describe-set-up.ts';

const askMilliseconds = 5_000;

/** One server with one key, and the models that the catalogue has there. */
interface Server {
  upstream: ModelUpstream;
  uses: { model: Model; name: string }[];
}

/**
 * Asks each model server once for its models. Returns what is wrong in words, one line a problem, or one line that says
 * that all is well; nothing where all models are stand-ins. Never throws.
 */
export async function askUpstreams(setUp: SetUp): Promise<string[]> {
  const servers = serversOf(setUp);
  if (servers.length === 0) return [];
  const problems = (await Promise.all(servers.map(problemsOf))).flat();
  if (problems.length > 0) return problems.map((problem) => `Warning: ${problem}`);
  return [
    servers.length === 1
      ? 'The model server answers, and has its models.'
      : `All ${servers.length} model servers answer, and have their models.`,
  ];
}

function serversOf({ catalogue, standIns }: SetUp): Server[] {
  const servers = new Map<string, Server>();
  for (const model of catalogue.models.filter(({ id }) => !standIns.has(id)))
    for (const upstream of [model.upstream, ...model.fallbacks]) {
      const key = JSON.stringify([upstream.baseUrl, upstream.apiKey, upstream.protocol]);
      const server = servers.get(key) ?? { upstream, uses: [] };
      server.uses.push({ model, name: upstream.model });
      servers.set(key, server);
    }
  return [...servers.values()];
}

async function problemsOf(server: Server): Promise<string[]> {
  const { upstream, uses } = server;
  const about = addressOf(upstream);
  const ids = [...new Set(uses.map(({ model }) => model.id))];
  const used = `(${ids.length === 1 ? 'model' : 'models'} ${ids.join(', ')})`;
  try {
    const names = await listModels(upstream, AbortSignal.timeout(askMilliseconds));
    // Its list has no names that requests may use.
    if (upstream.protocol === 'deepgram') return [];
    if (!names) return mayLackList(server) ? [] : [`${about} ${used} ${noList}.`];
    const missing = uses.filter(({ name }) => !isListed(name, names));
    return missing.map(({ model, name }) => `${about} does not list "${name}" (model ${model.id}).`);
  } catch (error) {
    const problem = describe(error, server);
    return problem === undefined ? [] : [`${about} ${used} ${problem}.`];
  }
}

const noList = 'has no list of models. If it refuses requests, look at its baseUrl: most end in /v1';

/** Servers of decisions have routes of their own. */
const mayLackList = ({ uses }: Server): boolean => uses.every(({ model }) => model.kind === 'decision');

function describe(error: unknown, server: Server): string | undefined {
  const { upstream } = server;
  if (error instanceof UpstreamError && error.kind === 'unreadable') return noList;
  const status = error instanceof UpstreamError ? error.status : undefined;
  if (status === undefined) return 'cannot be reached, or does not answer within 5 s';
  if (status === 401 || status === 403)
    return upstream.apiKey === undefined
      ? `wants a key (${status}), and the set-up has none: apiKeyEnv in the catalogue, or MODEL_API_KEY`
      : `refuses the key of ${upstream.apiKeyEnv} (${status})`;
  if (status === 404 || status === 405 || status === 501) return mayLackList(server) ? undefined : noList;
  return `answered ${status} when it was asked for its models`;
}

/** Ollama adds a tag, and Google a folder. */
const isListed = (name: string, names: readonly string[]): boolean =>
  names.some((listed) => listed === name || listed === `${name}:latest` || listed.endsWith(`/${name}`));

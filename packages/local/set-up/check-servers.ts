import {
  addressOf,
  isListed,
  listModels,
  type Model,
  type ModelUpstream,
  UpstreamError,
} from '@errand/models';
import type { SetUp } from './describe-set-up.ts';

const askMilliseconds = 5_000;

interface Use {
  model: Model;
  /** The model's name on the server. */
  name: string;
  isFallback: boolean;
}

/** One server with one key, and the models that the catalogue has there. */
interface Server {
  upstream: ModelUpstream;
  uses: Use[];
}

interface Check {
  /** What is wrong, in words. */
  problems: string[];
  /** Whether the server's list could tell which of the catalogue's names it knows. */
  namesChecked: boolean;
}

/**
 * Asks each model server once for its models. Returns what is wrong in words, one line a problem, or one line that says
 * what is known to be well; nothing where all models are stand-ins. Never throws.
 */
export async function checkServers(setUp: SetUp): Promise<string[]> {
  const servers = serversOf(setUp);
  if (servers.length === 0) return [];
  const checks = await Promise.all(servers.map((server) => check(server, setUp)));
  const problems = checks.flatMap((each) => each.problems);
  if (problems.length > 0) return problems.map((problem) => `Warning: ${problem}`);
  return [
    wellWords(
      servers.length,
      servers.filter((_, index) => !checks[index]?.namesChecked),
    ),
  ];
}

function wellWords(servers: number, unchecked: readonly Server[]): string {
  const answer = servers === 1 ? 'The model server answers' : `All ${servers} model servers answer`;
  if (unchecked.length === 0) return `${answer}, and ${servers === 1 ? 'has its' : 'have their'} models.`;
  const these =
    servers === 1 ? 'It has' : unchecked.length === 1 ? '1 of them has' : `${unchecked.length} of them have`;
  const ids = idsOf(unchecked.flatMap(({ uses }) => uses));
  return `${answer}. ${these} no list of models to compare with, so their names were not checked: ${ids}.`;
}

function serversOf({ catalogue, standIns }: SetUp): Server[] {
  const servers = new Map<string, Server>();
  for (const model of catalogue.models.filter(({ id }) => !standIns.has(id)))
    for (const [index, upstream] of [model.upstream, ...model.fallbacks].entries()) {
      const key = JSON.stringify([upstream.baseUrl, upstream.apiKey, upstream.protocol]);
      const server = servers.get(key) ?? { upstream, uses: [] };
      server.uses.push({ model, name: upstream.model, isFallback: index > 0 });
      servers.set(key, server);
    }
  return [...servers.values()];
}

async function check(server: Server, setUp: SetUp): Promise<Check> {
  const { upstream, uses } = server;
  const about = addressOf(upstream);
  const found = await problemOf(server, setUp);
  if (typeof found === 'string')
    return { problems: [`${about} (${usesWords(uses)}) ${found}.`], namesChecked: false };
  const missing = uses.filter(({ name }) => found !== undefined && !isListed(name, found));
  return {
    problems: missing.map((use) => `${about} does not list "${use.name}" (${usesWords([use])}).`),
    namesChecked: found !== undefined,
  };
}

/** What is wrong with the server, or else the names that it lists; undefined if it may lack a list of them. */
async function problemOf(server: Server, setUp: SetUp): Promise<string | string[] | undefined> {
  const { upstream, uses } = server;
  // Servers of decisions have routes of their own.
  const withoutList = uses.every(({ model }) => model.kind === 'decision') ? undefined : noList;
  try {
    const names = await listModels(upstream, AbortSignal.timeout(askMilliseconds));
    // Deepgram's list has no names that requests may use.
    return upstream.protocol === 'deepgram' ? undefined : (names ?? withoutList);
  } catch (error) {
    const failure = error instanceof UpstreamError ? error : new UpstreamError('timeout');
    const lacksList = failure.kind === 'unreadable' || [404, 405, 501].includes(failure.status ?? 0);
    return lacksList ? withoutList : failureWords(failure, upstream, setUp);
  }
}

const noList = 'has no list of models. If it refuses requests, look at its baseUrl: most end in /v1';

function failureWords(
  { kind, status, systemCode }: UpstreamError,
  { apiKey, apiKeyEnv }: ModelUpstream,
  { fromFile }: SetUp,
): string {
  if (kind === 'timeout') return `does not answer within ${askMilliseconds / 1000} s`;
  if (status === undefined) return `cannot be reached${systemCode === undefined ? '' : ` (${systemCode})`}`;
  if (status >= 300 && status < 400)
    return `redirects (${status}), which is not followed: look at its baseUrl`;
  if (status !== 401 && status !== 403) return `answered ${status} when it was asked for its models`;
  return apiKey === undefined
    ? `wants a key (${status}), and the set-up has none: set ${fromFile ? 'its apiKeyEnv in the catalogue' : 'MODEL_API_KEY'}`
    : `refuses the key of ${apiKeyEnv} (${status})`;
}

const idsOf = (uses: readonly Use[]): string => [...new Set(uses.map(({ model }) => model.id))].join(', ');

function usesWords(uses: readonly Use[]): string {
  const parts = [false, true].map((wanted) => {
    const ids = idsOf(uses.filter(({ isFallback }) => isFallback === wanted));
    const noun = ids.includes(', ') ? 'models' : 'model';
    return ids === '' ? [] : wanted ? `fallback of ${ids}` : `${noun} ${ids}`;
  });
  return parts.flat().join('; ');
}

import { ConfigError, issuesOf, type Price } from '@errand/platform';
import * as v from 'valibot';
import { type Capabilities, capabilitiesOf } from './capabilities.ts';
import {
  type Catalogue,
  decisionEngines,
  type McpServer,
  type Model,
  type ModelUpstream,
} from './catalogue.ts';
import { hasVariant, relationProblems, type Secret } from './catalogue-relations.ts';
import { catalogueSchema } from './catalogue-schema.ts';

type Parsed = v.InferOutput<typeof catalogueSchema>;
type ParsedModel = Parsed['models'][number];
type ParsedServer = Parsed['mcpServers'][number];

/** Validates the JSON of a catalogue and looks up its keys. Throws `ConfigError` with every problem, one a line. */
export function parseCatalogue(json: unknown, secret: Secret): Catalogue {
  const parsed = v.safeParse(catalogueSchema, json);
  const problems = [
    ...issuesOf(parsed.issues ?? []).map(
      ({ field, problem }) => `${field.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${problem}`,
    ),
    ...relationProblems(json, secret),
    ...(parsed.success ? authorizationProblems(parsed.output.mcpServers, secret) : []),
  ];
  if (!parsed.success || problems.length > 0)
    throw new ConfigError(problems.map((problem) => `catalogue: ${problem.trim()}`).join('\n'));
  const { models, mcpServers, roles } = parsed.output;
  return {
    models: models.map((entry) => toModel(entry, secret)),
    ...(mcpServers.length > 0 && { mcpServers: mcpServers.map((entry) => toServer(entry, secret)) }),
    roles: Object.fromEntries(Object.entries(roles).filter(([, id]) => id !== undefined)),
  };
}

const authorizationProblems = (servers: readonly ParsedServer[], secret: Secret): string[] =>
  servers.flatMap(({ authorizationEnv: name }, index) => {
    const value = name === undefined ? undefined : secret(name);
    if (name === undefined || (value && isHeader(value))) return [];
    const problem = value ? 'has characters that no authorization has' : 'is not set';
    return [`mcpServers[${index}].authorizationEnv ${name} ${problem}`];
  });

/** A token, or a scheme and its value. */
const isHeader = (text: string): boolean => /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text);

function toServer(entry: ParsedServer, secret: Secret): McpServer {
  const authorization = entry.authorizationEnv === undefined ? undefined : secret(entry.authorizationEnv);
  return { ...(entry as McpServer), ...(authorization !== undefined && { authorization }) };
}

/** The cast is safe: valibot leaves absent keys out, though its types say that they may be undefined. */
function toModel({ price, tools, capabilities, ...entry }: ParsedModel, secret: Secret): Model {
  const said = { ...(tools !== undefined && { tools }), ...capabilities } as Partial<Capabilities>;
  return {
    ...(entry as Omit<Model, 'prices' | 'capabilities'>),
    prices: byDate([price].flat() as Price[]),
    compressed: hasVariant(entry),
    capabilities: capabilitiesOf(entry, said),
    upstream: toUpstream(entry.upstream, secret),
    fallbacks: entry.fallbacks.map((fallback) => toUpstream(fallback, secret)),
    ...(entry.kind === 'decision' && { engine: entry.engine ?? decisionEngines[0] }),
  };
}

const byDate = (prices: readonly Price[]): Model['prices'] =>
  prices.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1)) as [Price, ...Price[]];

function toUpstream(entry: ParsedModel['upstream'], secret: Secret): ModelUpstream {
  const apiKey = entry.apiKeyEnv === undefined ? undefined : secret(entry.apiKeyEnv);
  return { ...(entry as ModelUpstream), ...(apiKey !== undefined && { apiKey }) };
}

import { limits } from '@errand/platform';
import type { FunctionName } from './permissions.ts';

/** A function's size, routes, and what it gets beside its code. */
export interface FunctionShape {
  /** The least that test/bench/memory/README.md finds fast enough, or more. */
  memoryMegabytes: number;
  /** Why it is more. The page shows the words. */
  moreBecause?: string;
  timeoutSeconds: number;
  /** The function asks models: it gets the catalogue and the upstreams' keys. */
  models: boolean;
  /** The function searches the web: it gets the search provider's settings and key. */
  search: boolean;
  /** The function encrypts or decrypts what callers entrust to the service: it gets the secret for that. */
  seals?: true;
  /** The function makes or checks links and ids of uploads: it gets the secret that signs them. */
  links?: true;
  /** Files and folders beside the bundle, which `scripts/build-assets.ts` makes. */
  assets: readonly (
    | 'openapi.json'
    | 'pages'
    | 'convert-worker.mjs'
    | 'page-worker.mjs'
    | 'passages-worker.mjs'
    | 'count-worker.mjs'
    | 'problems-worker.mjs'
  )[];
  /** Path prefixes that the router sends here. A function that a queue or another function calls has none. */
  paths: readonly string[];
}

/** Lambda's own limit for an invocation. */
const longestSeconds = 900;
/** A function refuses a request that is not answered in time itself, and has 10 s more to do so. */
const refusalSeconds = 10;
const answerSeconds = limits.answerMilliseconds / 1000 + refusalSeconds;
const streamSeconds = (limits.streamMilliseconds + limits.invocationEndMilliseconds) / 1000 + 10;

/** What a receiver may take, and the writes around it. A queue's visibility timeout must be longer. */
const webhookSeconds = limits.webhookMilliseconds / 1000 + 45;

/** A tick begins nothing after its time, and what it has begun has its own. */
const tickSeconds =
  (limits.scheduleTickMilliseconds + limits.scheduleFireMilliseconds) / 1000 + refusalSeconds;

const conversionSeconds = limits.documentConversionMilliseconds / 1000 + 20;

/** The edge function puts this before the paths of runs' streams, because the router tells paths by their beginnings alone. */
export const runStreamsPath = '/run-streams';

export const functionShapes: Record<FunctionName, FunctionShape> = {
  agents: {
    memoryMegabytes: 512,
    timeoutSeconds: answerSeconds,
    models: true,
    search: false,
    seals: true,
    links: true,
    assets: ['passages-worker.mjs'],
    paths: ['/v1/agents', '/v1/schedules', '/v1/uploads', '/v1/files', '/v1/values', '/v1/webhooks'],
  },
  'run-streams': {
    memoryMegabytes: 256,
    moreBecause: "192 MB leave less than 80 MB for hours of streams and for Lambda's own runtime",
    timeoutSeconds: streamSeconds,
    models: false,
    search: false,
    assets: [],
    paths: [runStreamsPath],
  },
  skills: {
    memoryMegabytes: 384,
    timeoutSeconds: answerSeconds,
    models: false,
    search: false,
    assets: [],
    paths: ['/v1/skills'],
  },
  systemone: {
    memoryMegabytes: 384,
    timeoutSeconds: answerSeconds,
    models: true,
    search: false,
    assets: [],
    paths: ['/v1/systemone', '/v1/decisions'],
  },
  chat: {
    memoryMegabytes: 512,
    moreBecause: 'at 384 MB its first answer took 1.1 s on a slower day of the same machine',
    // Lambda does not say when a client has left, so a completion runs to its end.
    timeoutSeconds: longestSeconds,
    models: true,
    search: false,
    assets: ['count-worker.mjs'],
    paths: ['/v1/chat', '/v1/embeddings', '/v1/messages', '/v1/models', '/v1/pricing'],
  },
  responses: {
    memoryMegabytes: 512,
    // As chat: an answer runs to its end.
    timeoutSeconds: longestSeconds,
    models: true,
    search: false,
    seals: true,
    links: true,
    assets: ['passages-worker.mjs', 'count-worker.mjs'],
    paths: ['/v1/responses'],
  },
  mcp: {
    memoryMegabytes: 384,
    // A call that shows progress waits for its run.
    timeoutSeconds: limits.mcpProgressSeconds + 30,
    models: true,
    search: false,
    seals: true,
    assets: [],
    paths: ['/mcp'],
  },
  site: {
    memoryMegabytes: 1_024,
    moreBecause:
      'a report of usage over a year took 14 s of CPU: at 512 MB 49 s, of the 55 s that an answer may take',
    timeoutSeconds: answerSeconds,
    models: false,
    search: false,
    assets: ['openapi.json', 'pages'],
    paths: ['/'],
  },
  worker: {
    // Has room for ten runs, and for one thread at a time beside them.
    memoryMegabytes: 512,
    timeoutSeconds: longestSeconds,
    models: true,
    search: true,
    seals: true,
    links: true,
    assets: ['page-worker.mjs', 'passages-worker.mjs', 'problems-worker.mjs'],
    paths: [],
  },
  converter: {
    memoryMegabytes: 1_792,
    timeoutSeconds: conversionSeconds,
    models: false,
    search: false,
    assets: ['convert-worker.mjs'],
    paths: [],
  },
  webhooks: {
    memoryMegabytes: 192,
    timeoutSeconds: webhookSeconds,
    models: false,
    search: false,
    seals: true,
    assets: [],
    paths: [],
  },
  schedules: {
    memoryMegabytes: 512,
    timeoutSeconds: tickSeconds,
    models: true,
    search: false,
    assets: [],
    paths: [],
  },
  'dead-letters': {
    memoryMegabytes: 512,
    timeoutSeconds: 60,
    models: false,
    search: false,
    assets: [],
    paths: [],
  },
};

/** The time of an invocation, where the stage may give answers more of it. */
export const timeoutSecondsOf = (
  { timeoutSeconds, paths }: Pick<FunctionShape, 'timeoutSeconds' | 'paths'>,
  { answerSeconds = 0 }: { answerSeconds?: number },
): number => (paths.length === 0 ? timeoutSeconds : Math.max(timeoutSeconds, answerSeconds + refusalSeconds));

/** Names of resources are in Pascal case: `dead-letters` becomes `DeadLetters`. */
export const toPascalCase = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

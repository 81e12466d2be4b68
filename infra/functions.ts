import { limits } from '@errand/platform';
import type { FunctionName } from './permissions.ts';

/** A function's size, and what it is given. */
export interface FunctionShape {
  memoryMegabytes: number;
  timeoutSeconds: number;
  /** It asks models: it is given the catalogue and the upstreams' keys. */
  models: boolean;
  /** It searches the web. */
  search: boolean;
  /** Files that `scripts/build-assets.ts` makes, to lie beside the bundle. */
  assets: readonly ('openapi.json' | 'convert-worker.mjs')[];
  /** Path prefixes that the router sends here; none for what the queue calls. */
  paths: readonly string[];
}

/** The longest that Lambda runs an invocation. */
const longestSeconds = 900;
/** What has not answered by 55 s is refused by the function itself; a little is left for the refusal. */
const answerSeconds = limits.answerMilliseconds / 1000 + 10;
const streamSeconds = (limits.streamMilliseconds + limits.invocationEndMilliseconds) / 1000 + 10;

export const functionShapes: Record<FunctionName, FunctionShape> = {
  agents: {
    // A converter may use 512 MB beside the file and the process itself.
    memoryMegabytes: 1_792,
    timeoutSeconds: streamSeconds,
    models: true,
    search: false,
    assets: ['convert-worker.mjs'],
    paths: ['/v1/agents', '/v1/uploads', '/v1/files', '/v1/values'],
  },
  skills: {
    memoryMegabytes: 512,
    timeoutSeconds: answerSeconds,
    models: false,
    search: false,
    assets: [],
    paths: ['/v1/skills'],
  },
  systemone: {
    memoryMegabytes: 512,
    timeoutSeconds: answerSeconds,
    models: true,
    search: false,
    assets: [],
    paths: ['/v1/systemone'],
  },
  chat: {
    memoryMegabytes: 512,
    // A client that leaves is not signalled: the completion runs out.
    timeoutSeconds: longestSeconds,
    models: true,
    search: false,
    assets: [],
    paths: ['/v1/chat', '/v1/models', '/v1/pricing'],
  },
  site: {
    memoryMegabytes: 512,
    timeoutSeconds: answerSeconds,
    models: false,
    search: false,
    assets: ['openapi.json'],
    paths: ['/'],
  },
  worker: {
    memoryMegabytes: 1_792,
    timeoutSeconds: longestSeconds,
    models: true,
    search: true,
    assets: ['convert-worker.mjs'],
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

/** `dead-letters` -> `DeadLetters`: names of resources are in Pascal case. */
export const toPascalCase = (name: string): string =>
  name
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

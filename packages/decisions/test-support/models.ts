import { type DecisionEngine, type Model, parseCatalogue, type UpstreamDeps } from '@errand/models';
import { parseOrderedJson, silentLog } from '@errand/platform';
import { readRequest } from '../dialects/system-one/read-request.ts';
import type { DecisionRequest } from '../request.ts';

export const decisionModel = (
  baseUrl: string,
  engine: DecisionEngine,
  more: {
    contextTokens?: number;
    fallbacks?: { baseUrl: string; model: string; engine?: DecisionEngine }[];
    firstByteSeconds?: number;
    calibration?: { temperature: number; offset?: number };
    minLabelMass?: number;
  } = {},
): Model => {
  const entry = {
    id: 'judge',
    kind: 'decision',
    engine,
    price: { inputPerMillionTokens: 100 },
    upstream: { baseUrl, model: 'tiny' },
    contextTokens: 16_384,
    ...more,
  };
  const [model] = parseCatalogue({ models: [entry], roles: { decision: 'judge' } }, () => undefined).models;
  return model as Model;
};

/** Reads a request body: a string is its JSON, any other value is serialised first. */
export function requestOf(value: unknown): DecisionRequest {
  const body = parseOrderedJson(typeof value === 'string' ? value : JSON.stringify(value)).value;
  if (!(body instanceof Map)) throw new Error('not an object');
  return readRequest(body);
}

export const upstreamDeps = (more: Partial<UpstreamDeps> = {}): UpstreamDeps => ({
  clock: Object.assign(() => 0, { wait: async () => {} }),
  log: silentLog,
  ...more,
});

import { type Catalogue, findModel, type Model, type ModelUpstream } from '@errand/models';

/** The model that a request asks for, and how its upstreams are asked. No upstreams if there is no such model. */
export interface AskedModel {
  model: Model | undefined;
  /** They get the request as it came. */
  native: readonly ModelUpstream[];
  /** They are asked for a chat completion. */
  translated: readonly ModelUpstream[];
}

export function readModel({ catalogue }: { catalogue: Catalogue }, id: string): AskedModel {
  const model = findModel(catalogue, id)?.model;
  const upstreams = model ? [model.upstream, ...model.fallbacks] : [];
  return {
    model,
    native: upstreams.filter(({ api }) => api === 'messages'),
    translated: upstreams.filter(({ api }) => api !== 'messages'),
  };
}

/** Whether nobody reads the chat completion: it only says what the request may cost. */
export const isNativeAlone = ({ native, translated }: AskedModel): boolean =>
  native.length > 0 && translated.length === 0;

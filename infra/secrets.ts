import { readFileSync } from 'node:fs';
import path from 'node:path';
import { searchNeedsKey } from '@errand/platform';
import { secretCharacters } from './edge.ts';
import { toPascalCase } from './functions.ts';
import { keyNames } from './key-names.ts';
import type { Settings } from './settings.ts';

type Value = $util.Output<string>;

export interface Secrets {
  /** The edge adds it to requests for the container. */
  origin: Value;
  /**
   * The edge adds it to requests for functions. It is the earlier one while there is one: until a deploy is done, requests
   * go to versions that know no other.
   */
  sentOrigin: Value;
  /** Functions refuse requests that have none of these: the edge's, and the one before, if the operator has set it. */
  acceptedOrigins: Value;
  /** Signs links and upload ids. */
  link: Value;
  /** Encrypts what callers entrust to the service; with the one before, if the operator has set it. */
  store: Value;
  /** The upstreams' keys, by their names in the catalogue. */
  models: Record<string, Value>;
  search: Value;
  carbon: Value;
  /** The headers of requests to the collector of spans. */
  otelHeaders: Value;
}

/** `origin`, `link` and `store` are made once per stage and kept in its state. Operators set the rest with `sst secret set`. */
export function createSecrets(settings: Settings): Secrets {
  const made = (name: string) =>
    new random.RandomPassword(name, { length: secretCharacters, special: false }).result;
  // Empty counts as unset. A secret that is needed has no fallback, so that the deploy asks for it.
  const ownersKey = (name: string, needed: boolean) => new sst.Secret(name, needed ? undefined : '').value;
  const origin = made('OriginSecret');
  const earlierOrigin = ownersKey('EarlierOriginSecret', false);
  const names = keyNames(JSON.parse(readFileSync(path.join($cli.paths.root, settings.catalogue), 'utf8')));
  return {
    origin,
    sentOrigin: $util.all([origin, earlierOrigin]).apply(([secret, earlier]) => earlier || secret),
    acceptedOrigins: $interpolate`${origin},${earlierOrigin}`,
    link: made('LinkSecret'),
    store: $interpolate`${made('StoreSecret')},${ownersKey('EarlierStoreSecret', false)}`,
    models: Object.fromEntries(names.map((name) => [name, new sst.Secret(toPascalCase(name)).value])),
    search: ownersKey('SearchApiKey', searchNeedsKey(settings.environment.SEARCH_PROVIDER)),
    carbon: ownersKey('CarbonApiKey', false),
    otelHeaders: ownersKey('OtelExporterOtlpHeaders', false),
  };
}

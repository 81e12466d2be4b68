import { readFile } from 'node:fs/promises';
import { type Config, ConfigError } from '@errand/platform';
import type { Catalogue } from './catalogue.ts';
import { parseCatalogue } from './parse-catalogue.ts';

type CatalogueSettings = Pick<Config, 'modelCatalogue' | 'model' | 'secret'>;

/**
 * Reads the catalogue file if one is configured, else makes a catalogue of the one model of `MODEL_BASE_URL` and
 * `MODEL_ID`, else calls `fallback`. Throws `ConfigError` with every problem.
 */
export async function loadCatalogue(
  config: CatalogueSettings,
  fallback?: () => Catalogue,
): Promise<Catalogue> {
  if (config.modelCatalogue !== undefined) return readCatalogue(config.modelCatalogue, config.secret);
  const { baseUrl, id } = config.model;
  if (baseUrl !== undefined && id !== undefined)
    return singleModelCatalogue({ ...config.model, baseUrl, id });
  if (fallback) return fallback();
  throw new ConfigError('MODEL_CATALOGUE, or MODEL_BASE_URL and MODEL_ID, must be set');
}

async function readCatalogue(path: string, secret: Config['secret']): Promise<Catalogue> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new ConfigError(`MODEL_CATALOGUE ${path} cannot be read`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`catalogue: ${path} is not JSON: ${(error as Error).message}`);
  }
  return parseCatalogue(json, secret);
}

/** The model's price is 0, because only a catalogue file gives prices to charge callers by. */
function singleModelCatalogue({
  baseUrl,
  id,
  apiKey,
  contextTokens,
}: Config['model'] & { baseUrl: string; id: string }): Catalogue {
  const keyName = 'MODEL_API_KEY';
  return parseCatalogue(
    {
      models: [
        {
          id,
          kind: 'chat',
          capabilities: { images: true },
          description: 'The configured model.',
          upstream: { baseUrl, model: id, ...(apiKey !== undefined && { apiKeyEnv: keyName }) },
          contextTokens,
          price: { inputPerMillionTokens: 0, outputPerMillionTokens: 0 },
        },
      ],
      roles: { reasoning: id, vision: id },
    },
    (name) => (name === keyName ? apiKey : undefined),
  );
}

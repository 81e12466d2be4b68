import { parseArgs } from 'node:util';

/** The command line is not valid. The message goes to stderr; the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage =
  'usage: npm run -s smoke -- [BASE_URL] [--stage NAME] [--model ID] [--container on|off] [--only CHECK] ' +
  '[--long --model-url URL [--listen PORT]] [--json]';

export const help = `${usage}

environment:
  ERRAND_API_KEY         the key that is used
  ERRAND_SECOND_API_KEY  a second key, of another account or of the same one
  DATA_DIR               the folder of the local service
  AWS_REGION             the region of --stage, with the usual variables of AWS for its credentials
Where a key is missing, --stage and a local service have one made.

exit status:
  0  no check failed
  1  a check failed, or the command could not begin
  2  the command line is not valid`;

export interface Arguments {
  baseUrl?: string;
  stage?: string;
  model?: string;
  largeForms?: boolean;
  /** Only the checks whose names contain this text. */
  only?: string;
  long?: { modelUrl: string; port: number };
  json: boolean;
  help: boolean;
}

const options = {
  stage: { type: 'string' },
  model: { type: 'string' },
  container: { type: 'string' },
  only: { type: 'string' },
  long: { type: 'boolean' },
  'model-url': { type: 'string' },
  listen: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Throws `UsageError`. */
export function readArguments(line: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args: [...line], options, allowPositionals: true });
    const [baseUrl, ...others] = positionals;
    if (others.length > 0) throw new UsageError(`unexpected argument: ${others[0]}`);
    const long = readLong(values.long === true, values['model-url'], values.listen);
    return {
      ...(baseUrl !== undefined && { baseUrl: readBaseUrl(baseUrl) }),
      stage: values.stage,
      model: values.model,
      ...(values.container !== undefined && { largeForms: readSwitch(values.container) }),
      only: values.only,
      long,
      json: values.json === true,
      help: values.help === true,
    };
  } catch (error) {
    if (error instanceof UsageError || isParseError(error))
      throw new UsageError(`${error.message}\n${usage}`);
    throw error;
  }
}

const isParseError = (error: unknown): error is Error =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');

/** An http(s) URL without slashes at its end. */
function readUrl(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new UsageError(`${name} must be an http(s) URL: ${JSON.stringify(text)}`);
}

/** The checks add paths of their own. */
function readBaseUrl(text: string): string {
  const { href, origin } = new URL(readUrl('BASE_URL', text));
  if (href !== `${origin}/`) throw new UsageError(`BASE_URL must be an origin, such as ${origin}: ${text}`);
  return origin;
}

function readSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new UsageError(`--container must be on or off: ${JSON.stringify(text)}`);
}

const portByDefault = '8790';

function readLong(long: boolean, modelUrl: string | undefined, listen = portByDefault): Arguments['long'] {
  if (!long && modelUrl === undefined) return undefined;
  if (!long || modelUrl === undefined)
    throw new UsageError(
      '--long and --model-url go together: the service must reach the model of this command',
    );
  const port = /^\d{1,5}$/.test(listen) ? Number(listen) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--listen must be a port: ${JSON.stringify(listen)}`);
  return { modelUrl: readUrl('--model-url', modelUrl), port };
}

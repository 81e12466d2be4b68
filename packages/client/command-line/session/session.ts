import { readBaseUrl } from '../../connection/base-url.ts';
import { createErrand, type Errand } from '../../create-errand.ts';
import { NotLoggedInError, UsageError } from '../exit-codes.ts';
import type { KeySource } from '../shown/failure-words.ts';
import type { Part } from '../shown/paint.ts';
import type { Streams, Terminal } from '../terminal.ts';
import { type Login, readLogin } from './config-file.ts';

/** What every command has: where it writes, in which form, and the service. */
export interface Session {
  env: Streams['env'];
  terminal: Terminal;
  /** Whether stdout is for programs. */
  json: boolean;
  /** The command that runs, such as `errand runs list`. */
  command: string;
  keySource: KeySource;
  /** Aborted by Ctrl-C, unless a command listens itself. */
  interruption: Interruption;
  /** The client of the service. Throws `NotLoggedInError` if no address or no key is known. */
  connect(): Promise<Errand>;
  /** The one JSON document of a command, or its lines for people. */
  show(document: unknown, lines: () => Part[]): void;
  /** One of several JSON documents, a line each. */
  line(document: unknown): void;
}

export interface Interruption {
  signal: AbortSignal;
  /** Calls the function at each Ctrl-C from now on, in place of the abort; without one, aborts again. */
  listen(onInterrupt?: () => void): void;
}

/** A text without a password, and shorter than a key. */
const mayBeShown = (given: string) => /^[\w.:/-]{1,32}$/.test(given);

/** An address as it may be shown and saved: what has a password is wrong usage, and is not repeated. */
export function requireAddress(given: string, source: string): string {
  const named = mayBeShown(given) ? `${source} (${given})` : source;
  return orUsageError(
    () => readBaseUrl(given),
    (message) => message.replace('The base URL', () => named),
  );
}

/** A saved key goes to the address that it was saved with, and to no other. */
export async function readLoginOf(env: Streams['env']): Promise<{ login: Login; keySource: KeySource }> {
  const saved = await readLogin(env);
  const given = env.ERRAND_BASE_URL || saved?.baseUrl;
  if (!given)
    throw new NotLoggedInError('No service is known. Run `errand login --url URL`, or set ERRAND_BASE_URL.');
  const baseUrl = requireAddress(given, env.ERRAND_BASE_URL ? 'ERRAND_BASE_URL' : 'The saved address');
  const isSaved = saved !== undefined && [given, baseUrl].includes(saved.baseUrl);
  const apiKey = env.ERRAND_API_KEY || (isSaved ? saved.apiKey : undefined);
  if (!apiKey)
    throw new NotLoggedInError(
      `No key for ${baseUrl} is known. Run \`errand login --url ${baseUrl}\`, or set ERRAND_API_KEY.`,
    );
  return { login: { baseUrl, apiKey }, keySource: env.ERRAND_API_KEY ? 'variable' : 'saved' };
}

/** A client of the login. What cannot be an address or a key is wrong usage. */
export const createClient = (login: Login, { ERRAND_STORAGE_ORIGINS = '' }: Streams['env']): Errand =>
  orUsageError(() =>
    createErrand({ ...login, storageOrigins: ERRAND_STORAGE_ORIGINS.split(',').filter(Boolean) }),
  );

function orUsageError<T>(work: () => T, inWords = (message: string) => message): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(inWords((error as Error).message));
  }
}

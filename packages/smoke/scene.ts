import { randomBytes } from 'node:crypto';
import { type Answer, type Request, send } from './http/client.ts';
import { Unusable } from './outcome.ts';
import { describe, excerpt } from './show.ts';
import { noTraces, type Traces } from './traces.ts';

interface SceneOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  key: string;
  /** What people know the key by. Default: `ERRAND_API_KEY`. */
  keyName?: string;
  /** A key of another account, or another key of the same one. */
  secondKey?: string;
  /** What the service is sent with each request, and no other host. No check shows it. */
  headers?: Record<string, string>;
  /** The newest version of a stage must answer, and not the one that callers reach. */
  next?: boolean;
  model?: string;
  /** Forms of 20 MB must be taken (true) or refused (false). Either is right if it is absent. */
  largeForms?: boolean;
  /** How long a run of the checks may take. Default: two and a half minutes. */
  runMilliseconds?: number;
  /** How long charges may take to come into the books after their answers. Default: half a minute. */
  settleMilliseconds?: number;
  /** Ends the checks when it aborts. What they made is still deleted. */
  signal?: AbortSignal;
}

interface Ask extends Request {
  /** Null sends none. Default: the first key. */
  key?: string | null;
  json?: unknown;
}

/** The service that is looked at, and what the checks share. */
export interface Scene extends SceneOptions {
  /** Begins the id of every request, so that the service's log and ledger tell ours from others'. */
  id: string;
  /** When the first request was sent, in milliseconds since 1970. */
  startedAt: number;
  /** Throws `Unusable` if the service has never answered and does not now, or if it has never accepted the first key and refuses it now. */
  ask(path: string, options?: Ask): Promise<Answer>;
  contact: Contact;
  traces: Traces;
  /** Makes a thing once, for all checks that need it. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** What is known of the service since its first answer. */
interface Contact {
  answered: boolean;
  keyTaken: boolean;
}

export function createScene(options: SceneOptions): Scene {
  const id = `smoke-${randomBytes(6).toString('hex')}`;
  const made = new Map<string, Promise<unknown>>();
  let requests = 0;
  const scene: Scene = {
    ...options,
    id,
    startedAt: Date.now(),
    traces: noTraces(),
    contact: { answered: false, keyTaken: false },
    async ask(path, { key = options.key, json, headers, ...request } = {}) {
      requests++;
      const sending = send(`${options.baseUrl}${path}`, {
        signal: options.signal,
        ...request,
        headers: {
          ...options.headers,
          'X-Request-Id': `${id}-${requests}`,
          ...(key !== null && { Authorization: `Bearer ${key}` }),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const answer = await sending.catch((error) => whenUnanswered(scene, error));
      scene.contact.answered = true;
      if (key === options.key) await noteKey(scene, answer);
      return answer;
    },
    once<T>(name: string, make: () => Promise<T>) {
      const making = made.get(name) ?? make();
      made.set(name, making);
      return making as Promise<T>;
    },
  };
  return scene;
}

function whenUnanswered({ baseUrl, contact, signal }: Scene, error: unknown): never {
  if (contact.answered || signal?.aborted) throw error;
  throw new Unusable(`${baseUrl} cannot be reached: ${excerpt(describe(error))}`);
}

async function noteKey(
  { baseUrl, contact, keyName = 'ERRAND_API_KEY' }: Scene,
  answer: Answer,
): Promise<void> {
  if (answer.status !== 401) contact.keyTaken = true;
  if (contact.keyTaken) return;
  await answer.text();
  throw new Unusable(`${keyName} is refused by ${baseUrl}`);
}

import { type Log, limits, sha256Hex } from '@errand/platform';
import type { ModelUpstream } from './catalogue.ts';
import type { ChatMessage } from './chat-messages.ts';
import { opaqueNames } from './opaque-fields.ts';
import { addressOf } from './upstream-address.ts';
import { UpstreamError } from './upstream-error.ts';

type LimitName = 'max_tokens' | 'max_completion_tokens';

/** What an upstream has refused, and answered without. */
interface Learned {
  /** The name of the output limit that it takes. */
  limitName?: LimitName;
  /** The most output that it may be asked for with so many characters of conversation or more, where it has refused more. */
  most?: { tokens: number; fromCharacters: number };
  /** It takes no user's message right after the results of tools. */
  wantsNotesInResults?: boolean;
  /** Opaque fields that it does not take back. */
  refused: ReadonlySet<string>;
  /** Digests of the last `response_format`s that it has refused. */
  formats: ReadonlySet<string>;
}

/** What this process has learned. Processes share none of it. */
const learned = new WeakMap<ModelUpstream, Learned>();

const knownOf = (upstream: ModelUpstream): Learned =>
  learned.get(upstream) ?? { refused: new Set(), formats: new Set() };

interface LearningDeps {
  log: Log;
}

/** Remembers what an upstream wants, and logs it: requests differ from what the catalogue says from then on. */
function learn({ log }: LearningDeps, upstream: ModelUpstream, what: Partial<Learned>): void {
  learned.set(upstream, { ...knownOf(upstream), ...what });
  const { refused, most, formats, ...wanted } = what;
  log.info('upstream wants another request', {
    upstreamModel: upstream.model,
    address: addressOf(upstream),
    ...wanted,
    mostTokens: most?.tokens,
    refused: formats ? 'response_format' : refused && [...refused].join(', '),
  });
}

/**
 * Sends the limit under the name that is known or else `usual`, and under the other name if the upstream refuses that name as unknown.
 * With `teaches` that is remembered: a limit that a caller chose may be refused for its value, and must teach nothing.
 */
export async function namingLimit<T>(
  deps: LearningDeps,
  upstream: ModelUpstream,
  ask: (name: LimitName) => Promise<T>,
  { usual = 'max_tokens', teaches = false }: { usual?: LimitName; teaches?: boolean } = {},
): Promise<T> {
  const name = knownOf(upstream).limitName ?? usual;
  try {
    return await ask(name);
  } catch (error) {
    if (!refuses(error, name)) throw error;
    const limitName = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const answer = await ask(limitName);
    if (teaches) learn(deps, upstream, { limitName });
    return answer;
  }
}

/**
 * Halves a limit that has room for thinking as long as the upstream refuses it as too large for the model or for its context,
 * down to that of models that do not think. A long conversation teaches nothing about shorter ones.
 */
export async function withinMost<T>(
  deps: LearningDeps,
  upstream: ModelUpstream,
  { limit, messages }: { limit: number; messages: readonly ChatMessage[] },
  ask: (limit: number) => Promise<T>,
): Promise<T> {
  const least = limits.outputTokensPerCompletion;
  if (limit <= least) return ask(limit);
  const characters = JSON.stringify(messages).length;
  const { most = { tokens: limit, fromCharacters: Number.POSITIVE_INFINITY } } = knownOf(upstream);
  const first = characters < most.fromCharacters ? limit : Math.min(limit, most.tokens);
  for (let tokens = first; ; tokens = Math.max(least, Math.floor(tokens / 2)))
    try {
      const answer = await ask(tokens);
      if (tokens < first && characters < most.fromCharacters)
        learn(deps, upstream, { most: { tokens, fromCharacters: characters } });
      return answer;
    } catch (error) {
      if (tokens <= least || !saysInRefusal(error, tooLarge)) throw error;
    }
}

const tooLarge = /too large|at most|maximum|exceed|context (?:length|window)/i;

/**
 * Sends each note, which is a user's message right after the results of tools, as a part of the result before it if the upstream
 * refuses a user's message there, as Mistral does.
 */
export async function placingNotes<T>(
  deps: LearningDeps,
  upstream: ModelUpstream,
  messages: readonly ChatMessage[],
  ask: (messages: readonly ChatMessage[]) => Promise<T>,
): Promise<T> {
  const placed = notesInResults(messages);
  if (placed.length === messages.length) return ask(messages);
  if (knownOf(upstream).wantsNotesInResults) return ask(placed);
  try {
    return await ask(messages);
  } catch (error) {
    if (!saysInRefusal(error, /role '?user'? after role '?tool'?/i)) throw error;
    const answer = await ask(placed);
    learn(deps, upstream, { wantsNotesInResults: true });
    return answer;
  }
}

function notesInResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const placed: ChatMessage[] = [];
  for (const message of messages) {
    const before = placed.at(-1);
    if (message.role === 'user' && before?.role === 'tool')
      placed[placed.length - 1] = { ...before, content: `${before.content}\n\n${message.content}` };
    else placed.push(message);
  }
  return placed;
}

/**
 * Asks without the opaque fields that the upstream has refused, and again if it refuses more of them, or may miss one of them. An
 * upstream that refuses the message with that field as well meant something else, and its first refusal is thrown.
 */
export async function leavingOutRefused<T>(
  deps: LearningDeps,
  upstream: ModelUpstream,
  ask: (refused: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const { refused: known } = knownOf(upstream);
  try {
    return await ask(known);
  } catch (error) {
    const changed = opaqueNames.filter((name) =>
      known.has(name) ? isAbout(error, name) : refuses(error, name),
    );
    if (changed.length === 0) throw error;
    const refused = new Set(opaqueNames.filter((name) => known.has(name) !== changed.includes(name)));
    const answer = await ask(refused).catch((second: unknown) => {
      throw changed.some((name) => known.has(name)) && isRefusal(second) ? error : second;
    });
    learn(deps, upstream, { refused });
    return answer;
  }
}

const mostFormats = 100;

/**
 * Asks with the `response_format`, and without it if the upstream refuses that. What is refused may be this schema alone, so that others
 * are still tried. A request that is refused without it as well meant something else, and the second refusal is thrown.
 */
export async function leavingOutFormat<T>(
  deps: LearningDeps,
  upstream: ModelUpstream,
  format: unknown,
  ask: (format: unknown) => Promise<T>,
): Promise<T> {
  if (format === undefined) return ask(undefined);
  const digest = sha256Hex(JSON.stringify(format));
  if (knownOf(upstream).formats.has(digest)) return ask(undefined);
  try {
    return await ask(format);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const answer = await ask(undefined);
    const formats = new Set([...knownOf(upstream).formats, digest].slice(-mostFormats));
    learn(deps, upstream, { formats });
    return answer;
  }
}

/** The words of a refusal that does not know a field. Other refusals that name a field say that it is missing, or that its value is wrong. */
const unknownField =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|additional|not (?:allowed|permitted)|\buse\W+max_/i;

const isAbout = (error: unknown, name: string): boolean => saysInRefusal(error, new RegExp(`\\b${name}\\b`));

/** Whether the upstream refuses a field as such. Newer models of OpenAI want `max_completion_tokens` for `max_tokens`. */
const refuses = (error: unknown, name: string): boolean =>
  isAbout(error, name) && saysInRefusal(error, unknownField);

const isRefusal = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && error.kind === 'refused';

const saysInRefusal = (error: unknown, words: RegExp): boolean => {
  if (!isRefusal(error)) return false;
  const { code = '', param = '', text = '' } = error.raw ?? {};
  return words.test(`${code} ${param} ${text}`);
};

import type { ModelUpstream } from './catalogue.ts';
import { opaqueNames } from './opaque-fields.ts';
import { UpstreamError } from './upstream-error.ts';

type LimitName = 'max_tokens' | 'max_completion_tokens';

/** What an upstream has refused, and answered without. */
interface Learned {
  limitName?: LimitName;
  /** Opaque fields that it does not take back. */
  refused: ReadonlySet<string>;
}

/** What this process has learned. Processes share none of it. */
const learned = new WeakMap<ModelUpstream, Learned>();

const knownOf = (upstream: ModelUpstream): Learned => learned.get(upstream) ?? { refused: new Set() };

const learn = (upstream: ModelUpstream, what: Partial<Learned>): void =>
  void learned.set(upstream, { ...knownOf(upstream), ...what });

/** Sends the limit under the name that is `usual` or known, and under the other name if the server refuses that one. */
export async function namingLimit<T>(
  upstream: ModelUpstream,
  ask: (name: LimitName) => Promise<T>,
  usual: LimitName = 'max_tokens',
): Promise<T> {
  const name = knownOf(upstream).limitName ?? usual;
  try {
    return await ask(name);
  } catch (error) {
    if (!refuses(error, name)) throw error;
    const limitName = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const answer = await ask(limitName);
    learn(upstream, { limitName });
    return answer;
  }
}

/** Asks without the opaque fields that the upstream has refused, and again if it refuses more of them. */
export async function leavingOutRefused<T>(
  upstream: ModelUpstream,
  ask: (refused: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const { refused: known } = knownOf(upstream);
  try {
    return await ask(known);
  } catch (error) {
    const more = opaqueNames.filter((name) => !known.has(name) && refuses(error, name));
    if (more.length === 0) throw error;
    const refused = new Set([...known, ...more]);
    const answer = await ask(refused);
    learn(upstream, { refused });
    return answer;
  }
}

/** A refusal may also say that a field is missing. */
const unknownField =
  /unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|extra|additional|not (?:allowed|permitted)/i;

/** Whether the upstream refuses a field as such. Newer models of OpenAI want `max_completion_tokens` for `max_tokens`. */
function refuses(error: unknown, name: string): boolean {
  if (!(error instanceof UpstreamError) || error.kind !== 'refused') return false;
  const { param = error.param, text = error.words ?? '' } = error.raw ?? {};
  const named = new RegExp(`(?<![\\w])${name}(?![\\w])`);
  return param === name || (unknownField.test(text) && named.test(text));
}

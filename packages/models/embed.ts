import type { Taking } from '@errand/money';
import { createSemaphore, isDomainError, limits } from '@errand/platform';
import { askWhole, parseAnswer } from './ask-whole.ts';
import type { Model, ModelUpstream } from './catalogue.ts';
import type { UpstreamDeps } from './deps.ts';
import { logFailure } from './log-failure.ts';
import { type RetryOptions, retryUpstream, tryUpstreams } from './retry.ts';
import type { UpstreamRequest } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import { readTokenCount } from './usage.ts';

/** A text, the tokens of a text, or a list of either. */
export type EmbeddingInput = string | readonly string[] | readonly number[] | readonly (readonly number[])[];

/** A vector as it was sent: its numbers, or the base64 of 32-bit floats whose least byte is the first. */
type Vector = number[] | string;

/** OpenAI's request, without the model. */
export interface EmbeddingRequest {
  input: EmbeddingInput;
  /** `float` if absent. The answer may have the other format all the same. */
  encoding_format?: 'float' | 'base64';
  dimensions?: number;
  user?: string;
}

export interface Embeddings {
  /** One for each text, in their order. All have the same length. */
  vectors: Vector[];
  /** Undefined if the upstream did not say. */
  inputTokens: number | undefined;
  inferenceMilliseconds: number;
}

const answerBytes = 64 * 1024 * 1024;

interface EmbedOptions extends Partial<RetryOptions> {
  taking?: Taking;
  /** Whose requests for the vectors of many texts take turns with those of others. */
  owner?: string;
}

/** Answers with the vectors of many texts have tens of megabytes. */
const manyTexts = createSemaphore(limits.largeEmbeddingsAtOnce);

/** Asks the model and its fallbacks for embeddings, once if no `attempts` are given. Throws `UpstreamError`, or the signal's reason. */
export async function embed(
  deps: UpstreamDeps,
  model: Model,
  request: EmbeddingRequest,
  { owner, ...options }: EmbedOptions = {},
): Promise<Embeddings> {
  if (textsOf(request.input).length <= limits.fewEmbeddedTexts)
    return askForVectors(deps, model, request, options);
  const leave = await manyTexts.take({ signal: options.signal, owner });
  try {
    // As numbers, which need up to four times as many bytes, the answer may be too long to be read.
    return await askForVectors(deps, model, { ...request, encoding_format: 'base64' }, options);
  } finally {
    leave();
  }
}

function askForVectors(
  deps: UpstreamDeps,
  model: Model,
  request: EmbeddingRequest,
  { taking, ...retries }: Omit<EmbedOptions, 'owner'>,
): Promise<Embeddings> {
  const attempt = async (upstream: ModelUpstream, how: Asking) => {
    try {
      return await askInFormat(deps, upstream, request, { ...how, taking });
    } catch (error) {
      if (isDomainError(retries.signal?.reason, 'timed_out'))
        logFailure(deps, { model, upstream, error: new UpstreamError('timeout') });
      throw error;
    }
  };
  return retryUpstream(deps, { attempts: 1, ...retries }, () =>
    tryUpstreams(
      deps,
      model,
      (upstream, { signal, heard }) => attempt(upstream, { signal, heard }),
      retries.signal,
    ),
  );
}

type Asking = Pick<UpstreamRequest, 'signal' | 'heard' | 'taking'>;

/** A server that does not know `encoding_format` sends numbers. */
async function askInFormat(
  deps: UpstreamDeps,
  upstream: ModelUpstream,
  request: EmbeddingRequest,
  how: Asking,
): Promise<Embeddings> {
  const { encoding_format: format, ...rest } = request;
  if (format !== 'base64') return ask(deps, upstream, rest, how);
  try {
    return await ask(deps, upstream, request, how);
  } catch (error) {
    if (!(error instanceof UpstreamError && error.kind === 'refused' && error.mentioned)) throw error;
    return ask(deps, upstream, rest, how);
  }
}

async function ask(
  deps: UpstreamDeps,
  upstream: ModelUpstream,
  request: EmbeddingRequest,
  how: Asking,
): Promise<Embeddings> {
  const { bytes, inferenceMilliseconds } = await askWhole(deps, upstream, {
    path: '/embeddings',
    body: JSON.stringify({ ...request, model: upstream.model }),
    limitBytes: answerBytes,
    watchFor: 'encoding_format',
    ...how,
  });
  const { data, usage } = (parseAnswer(bytes) ?? {}) as { data?: unknown; usage?: unknown };
  const vectors = readVectors(data, textsOf(request.input).length);
  if (!vectors) throw new UpstreamError('unreadable');
  return { vectors, inputTokens: readInputTokens(usage), inferenceMilliseconds };
}

/** The texts of a request one by one, each as itself or as its tokens. */
export const textsOf = (input: EmbeddingInput): readonly (string | readonly number[])[] =>
  typeof input === 'string' || typeof input[0] === 'number'
    ? [input as string | readonly number[]]
    : (input as readonly (string | readonly number[])[]);

/** Some servers send 0 if they did not count. */
function readInputTokens(usage: unknown): number | undefined {
  const { prompt_tokens, total_tokens } = (usage ?? {}) as {
    prompt_tokens?: unknown;
    total_tokens?: unknown;
  };
  return readTokenCount(prompt_tokens) || readTokenCount(total_tokens) || undefined;
}

/** Undefined unless there is one vector for each text. */
function readVectors(data: unknown, texts: number): Vector[] | undefined {
  if (!Array.isArray(data) || data.length !== texts) return undefined;
  const vectors = new Map<unknown, Vector>();
  for (const [place, entry] of data.entries()) {
    const { index = place, embedding } = (entry ?? {}) as { index?: unknown; embedding?: unknown };
    if (!isVector(embedding)) return undefined;
    vectors.set(index, embedding);
  }
  const found = data.map((_, place) => vectors.get(place)).filter((vector) => vector !== undefined);
  const lengths = new Set(found.map(lengthOf));
  return found.length === texts && lengths.size === 1 ? found : undefined;
}

const floatBytes = Float32Array.BYTES_PER_ELEMENT;

const isFloat = (number: unknown): boolean =>
  typeof number === 'number' && Number.isFinite(Math.fround(number));

const isVector = (value: unknown): value is Vector => {
  if (typeof value !== 'string' && !Array.isArray(value)) return false;
  const length = lengthOf(value);
  if (!Number.isInteger(length) || length < 1 || length > limits.embeddingNumbers) return false;
  const numbers = toNumbers(value);
  // Signs that are no base64 are passed over, and numbers of 32 bits are what a caller may have asked for.
  return numbers.length === length && numbers.every(isFloat);
};

const lengthOf = (vector: Vector): number =>
  typeof vector === 'string' ? Buffer.byteLength(vector, 'base64') / floatBytes : vector.length;

export const toBase64 = (vector: Vector): string =>
  typeof vector === 'string' ? vector : Buffer.from(new Float32Array(vector).buffer).toString('base64');

export function toNumbers(vector: Vector): number[] {
  if (typeof vector !== 'string') return vector;
  const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
  return [...new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / floatBytes))];
}

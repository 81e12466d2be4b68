import type { ModelUpstream } from './catalogue.ts';
import { readBytes } from './read-bytes.ts';
import { speechProtocol } from './speech/protocols.ts';
import { requestUpstream } from './upstream.ts';
import { readTokenCount } from './usage.ts';

const listBytes = 8 * 1024 * 1024;

/**
 * The names of the models that an upstream lists; undefined if its answer is no such list. Throws `UpstreamError`, or the
 * signal's reason.
 */
export async function listModels(
  upstream: ModelUpstream,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  return (await readList(upstream, signal))?.flatMap(namesOf);
}

/** Ollama adds a tag, Google a folder, and Anthropic a date to what it also knows without. */
export const isListed = (name: string, names: readonly string[]): boolean =>
  names.some(
    (listed) =>
      [name, `${name}:latest`, `models/${name}`].includes(listed) || listed.replace(/-\d{8}$/, '') === name,
  );

const leastContextTokens = 1_024;

/**
 * The context of an upstream's model by the upstream's list; undefined if the list says nothing of it. Throws
 * `UpstreamError`, or the signal's reason.
 */
export async function listedContext(
  upstream: ModelUpstream,
  signal: AbortSignal,
): Promise<number | undefined> {
  const entry = (await readList(upstream, signal))?.find((each) => isListed(upstream.model, namesOf(each)));
  const fields = (entry ?? {}) as Record<string, unknown>;
  const meta = (fields.meta ?? {}) as Record<string, unknown>;
  return [
    fields.loaded_context_length, // LM Studio
    fields.context_length, // OpenRouter, Together, Fireworks, Moonshot
    fields.max_model_len, // vLLM, SGLang
    fields.context_window, // Groq
    fields.max_context_length, // Mistral, LM Studio
    fields.max_input_tokens, // Anthropic
    meta.n_ctx, // llama.cpp
    meta.n_ctx_train, // earlier llama.cpp, which did not say how much of the model's context it uses
  ]
    .map(readTokenCount)
    .find((tokens) => tokens !== undefined && tokens >= leastContextTokens);
}

async function readList(upstream: ModelUpstream, signal: AbortSignal): Promise<unknown[] | undefined> {
  const { listing } = speechProtocol(upstream);
  const response = await requestUpstream(upstream, { ...listing(upstream), method: 'GET', signal });
  return readEntries(await readBytes(response, { limitBytes: listBytes, signal }));
}

/** Most servers answer `data`, some `models`, some a bare list. */
function readEntries(bytes: Buffer): unknown[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  const { data, models } = (json ?? {}) as { data?: unknown; models?: unknown };
  const lists = [json, data, models].filter((list) => Array.isArray(list));
  return lists.length === 0 ? undefined : lists.flat();
}

function namesOf(entry: unknown): string[] {
  const { id, name, model } = (entry ?? {}) as Record<string, unknown>;
  return [entry, id, name, model].filter((word) => typeof word === 'string');
}

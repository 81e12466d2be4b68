import type { ModelUpstream } from './catalogue.ts';
import { readBytes } from './read-bytes.ts';
import { speechProtocol } from './speech/protocols.ts';
import { requestUpstream } from './upstream.ts';

const listBytes = 8 * 1024 * 1024;

/**
 * The names of the models that an upstream lists; undefined if its answer is no such list. Throws `UpstreamError`, or the
 * signal's reason.
 */
export async function listModels(
  upstream: ModelUpstream,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const { listing } = speechProtocol(upstream);
  const response = await requestUpstream(upstream, { ...listing(upstream), method: 'GET', signal });
  return readNames(await readBytes(response, { limitBytes: listBytes, signal }));
}

/** Most servers answer `data` with `id`, some `models` with `name`, some a bare list. */
function readNames(bytes: Buffer): string[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  const { data, models } = (json ?? {}) as { data?: unknown; models?: unknown };
  const lists = [json, data, models].filter((list) => Array.isArray(list));
  if (lists.length === 0) return undefined;
  return lists.flat().flatMap((entry: unknown) => {
    const { id, name, model } = (entry ?? {}) as Record<string, unknown>;
    return [entry, id, name, model].filter((word) => typeof word === 'string');
  });
}

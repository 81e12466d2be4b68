import type { ServerResponse } from 'node:http';
import {
  type RecordingServer,
  sendJson,
  sendText,
  serveAndRecord,
} from '../../../test/support/local-server.ts';
import type { FakeModel } from './fake-model.ts';

/** What is wrong with the positions in a server's answer. */
export type Fault = 'nan' | 'null' | 'missing' | 'short' | 'positive';

export interface ServerOptions {
  model: FakeModel;
  modelTokens?: number;
  fault?: Fault;
  /** The special token at the beginning of a text, for requests that ask for special tokens. */
  beginning?: number;
  /** How many positions from the end of vLLM's prompt are computed; every slot must be among them. */
  computed?: number;
}

interface Position {
  id: number;
  logprob: number;
}

const topTokens = 20;

/** A sheet of four questions is shorter. */
const positionsOfSheet = 60;

/** A server with vLLM's `/tokenize` and `/v1/completions`. */
export const serveVllm = (options: ServerOptions): Promise<RecordingServer> =>
  serveAndRecord((request, response) => {
    const body = JSON.parse(request.body);
    if (request.path === '/tokenize') return sendTokens(options, body, response);
    if (request.path !== '/v1/completions') return sendJson(response, 404, { detail: 'Not Found' });
    const ids: number[] = body.prompt;
    if (body.prompt_logprobs > topTokens || !(body.max_tokens >= 1))
      return sendJson(response, 400, { error: {} });
    if (ids.length + body.max_tokens > (options.modelTokens ?? 100_000)) return sendOverflow(response);
    const positions = ids.map((id, at) => (at === 0 ? null : describeTop(options, ids, at, id)));
    const last = positions.at(-1);
    if (options.fault === 'missing') positions[positions.length - 1] = null;
    if (options.fault === 'short') positions.pop();
    const [first] = Object.values(last ?? {});
    if (options.fault === 'null' && first) Object.assign(first, { logprob: null });
    if (options.fault === 'positive' && first) first.logprob = 1.5;
    const text = JSON.stringify({
      object: 'text_completion',
      choices: [{ index: 0, text: ' x', prompt_logprobs: positions }],
      usage: { prompt_tokens: ids.length, completion_tokens: 1, total_tokens: ids.length + 1 },
    });
    sendText(
      response,
      200,
      options.fault === 'nan' ? text.replace(/"logprob":[^,]+/, '"logprob":NaN') : text,
    );
  });

/** A server with SGLang's `/tokenize` and `/generate`. */
export const serveSglang = (options: ServerOptions): Promise<RecordingServer> =>
  serveAndRecord((request, response) => {
    const body = JSON.parse(request.body);
    if (request.path === '/tokenize') return sendTokens(options, body, response);
    if (request.path !== '/generate') return sendJson(response, 404, { detail: 'Not Found' });
    const ids: number[] = body.input_ids;
    if (ids.length >= (options.modelTokens ?? 100_000)) return sendOverflow(response);
    const start: number = body.logprob_start_len;
    const positions = ids.slice(start).map((_, index) => {
      if (index === 0) return null;
      const logprobs = options.model.logprobs(ids.slice(0, start + index));
      return (body.token_ids_logprob as number[]).map((id) => [logprobs[id] ?? null, id, null]);
    });
    const last = positions.at(-1) ?? [];
    if (options.fault === 'missing') last.pop();
    if (options.fault === 'short') positions.pop();
    if ((options.fault === 'null' || options.fault === 'nan') && last[0]) last[0][0] = null;
    if (options.fault === 'positive' && last[0]) last[0][0] = 1.5;
    sendJson(response, 200, {
      text: '',
      meta_info: { prompt_tokens: ids.length, input_token_ids_logprobs: positions },
    });
  });

function sendTokens(
  { model, beginning }: ServerOptions,
  body: { prompt: string; add_special_tokens: boolean },
  response: ServerResponse,
): void {
  const ids = model.tokenize(body.prompt);
  const tokens = body.add_special_tokens && beginning !== undefined ? [beginning, ...ids] : ids;
  sendJson(response, 200, { count: tokens.length, max_model_len: 100_000, tokens });
}

function sendOverflow(response: ServerResponse): void {
  const message = "This model's maximum context length is exceeded.";
  sendJson(response, 400, { error: { message, type: 'BadRequestError', param: null, code: 400 } });
}

function describeTop(
  { model, computed = positionsOfSheet }: ServerOptions,
  ids: readonly number[],
  at: number,
  own: number,
) {
  if (at < ids.length - computed) return { [own]: { logprob: -1, rank: 1, decoded_token: '' } };
  const ranked = rank(model.logprobs(ids.slice(0, at)));
  const returned = ranked.slice(0, topTokens);
  const ownRank = ranked.findIndex(({ id }) => id === own);
  const ownPosition = ranked[ownRank];
  if (ownPosition && ownRank >= topTokens) returned.push(ownPosition);
  return Object.fromEntries(
    returned.map(({ id, logprob }) => [
      id,
      {
        logprob,
        rank: id === own ? ownRank + 1 : returned.findIndex((t) => t.id === id) + 1,
        decoded_token: '',
      },
    ]),
  );
}

export const rank = (logprobs: Float64Array): Position[] =>
  [...logprobs].map((logprob, id) => ({ id, logprob })).sort((a, b) => b.logprob - a.logprob);

import { type Api, createApi } from './api.ts';
import {
  type CallOptions,
  type ChatChunk,
  type ChatCompletion,
  type ChatRequest,
  completeChat,
  streamChat,
} from './chat/chat.ts';
import { readBaseUrl, readOrigin } from './connection/base-url.ts';
import type { Connection, Fetch } from './connection/connection.ts';
import { type Wait, wait } from './connection/wait.ts';
import { type Decision, type DecisionRequest, decide, type Questions } from './decisions/decide.ts';
import { type FollowOptions, followRun, type RunEvent } from './runs/follow-run.ts';
import { beginRun, openRun, type RunHandle, type ShapedOptions, type Start } from './runs/run-handle.ts';
import { type RunToEnd, runToEnd } from './runs/run-to-end.ts';
import type { NewRun } from './runs/start-run.ts';
import { sendUpload, type UploadOptions } from './uploads/send-upload.ts';

export interface ErrandOptions {
  /** Such as `https://errand.example.com`. */
  baseUrl: string;
  apiKey: string;
  /** Sends every request in place of the platform's own. */
  fetch?: Fetch;
  /**
   * Origins of storages, such as `http://10.0.0.5:9000`, to which files are sent although they are in a private network, or
   * without HTTPS.
   */
  storageOrigins?: readonly string[];
  /** Passes the time between tries in place of the platform's timer. */
  wait?: Wait;
}

export interface Errand {
  /** Every route by its path, with the types of the OpenAPI document. Refusals are thrown. */
  api: Api;
  run: RunToEnd;
  runs: {
    start: Start<NewRun>;
    open(agentId: string): RunHandle;
    follow(agentId: string, options?: FollowOptions): AsyncGenerator<RunEvent>;
  };
  chat: {
    stream(body: ChatRequest, options?: CallOptions): AsyncGenerator<ChatChunk>;
    complete(body: ChatRequest, options?: CallOptions): Promise<ChatCompletion>;
  };
  decide<const Q extends Questions>(request: DecisionRequest<Q>, options?: CallOptions): Promise<Decision<Q>>;
  uploads: { send(file: Blob, options?: UploadOptions): Promise<{ uploadId: string }> };
}

/** What fetch would refuse as a header, with the key in its message. */
function readKey(key: string): string {
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new TypeError('The API key is empty or has characters that no key has.');
  return trimmed;
}

/** A client of one service with one key. It opens no connection by itself. */
export function createErrand(options: ErrandOptions): Errand {
  const { baseUrl, apiKey, fetch, storageOrigins = [], wait: given } = options;
  const connection: Connection = {
    baseUrl: readBaseUrl(baseUrl),
    apiKey: readKey(apiKey),
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    fetchIsGiven: fetch !== undefined,
    storageOrigins: storageOrigins.map(readOrigin),
    wait: given ?? wait,
  };
  return {
    api: createApi(connection),
    run: ((input: NewRun, options?: ShapedOptions) => runToEnd(connection, input, options)) as RunToEnd,
    runs: {
      start: ((input: NewRun, options?: ShapedOptions) =>
        beginRun(connection, input, options)) as Start<NewRun>,
      open: (agentId) => openRun(connection, agentId),
      follow: (agentId, options) => followRun(connection, agentId, options),
    },
    chat: {
      stream: (body, options) => streamChat(connection, body, options),
      complete: (body, options) => completeChat(connection, body, options),
    },
    decide: (request, options) => decide(connection, request, options),
    uploads: { send: (file, options) => sendUpload(connection, file, options) },
  };
}

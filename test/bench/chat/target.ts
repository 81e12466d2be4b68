export interface Load {
  /** A stream with one chunk a millisecond, a stream as fast as it goes, or plain JSON. */
  kind: 'paced' | 'unpaced' | 'plain';
  /** Chunks of one stream. */
  chunks: number;
  /** Requests in flight at the same time. */
  atOnce: number;
  /** Requests in all. */
  total: number;
  /** The first requests begin at random within this time, and not all at the same moment. */
  spreadMilliseconds?: number;
  /** How the target is asked, if not in its own way. */
  dialect?: Dialect;
}

/** Times in milliseconds. The lists have no order. */
export interface LoadResult {
  /** From sending a request to the first content of its answer. */
  firstContent: number[];
  /** From the upstream's write of a chunk to its arrival at the client, for every chunk. */
  lags: number[];
  /** From sending a request to the end of its answer, on Lambda to the end of the invocation. */
  durations: number[];
  /** The whole load's time. */
  seconds: number;
  errors: number;
}

/** Something that is measured: the upstream itself, or a service in front of it. */
export interface Target {
  name: string;
  /** The processes whose CPU and memory count; none for the upstream itself. */
  pids: number[];
  /** The processes of its store, whose CPU is counted apart. */
  storePids: number[];
  /** Where its store listens, if it has one. */
  storeUrl?: string;
  /** Whether it can be asked so; absent if it takes every load. */
  takes?(load: Load): boolean;
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void> | void;
}

/** How a target is asked. */
export interface Dialect {
  path: string;
  /** The body of a request. The upstream writes as many chunks as the answer may have tokens. */
  body(load: Load): string;
  /** The status of its answers. */
  status: number;
  /** What stands in a stream after its text, and in a plain answer, if nothing is missing. */
  ends: { stream: string; plain: string };
}

const asked = 'Write something.';
const common = ({ kind }: Load) => ({
  model: kind === 'paced' ? 'paced' : 'unpaced',
  stream: kind !== 'plain',
});

export const completions: Dialect = {
  path: '/v1/chat/completions',
  body: (load) =>
    JSON.stringify({
      ...common(load),
      max_tokens: load.chunks,
      messages: [{ role: 'user', content: asked }],
    }),
  status: 200,
  ends: { stream: 'data: [DONE]', plain: '"usage"' },
};

export const responses: Dialect = {
  path: '/v1/responses',
  body: (load) => JSON.stringify({ ...common(load), max_output_tokens: load.chunks, input: asked }),
  status: 200,
  ends: { stream: 'event: response.completed', plain: '"usage"' },
};

export const messages: Dialect = {
  ...completions,
  path: '/v1/messages',
  ends: { stream: 'event: message_stop', plain: '"usage"' },
};

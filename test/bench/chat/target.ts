export interface Load {
  /** A stream with one chunk a millisecond, a stream as fast as it goes, or plain JSON. */
  kind: 'paced' | 'unpaced' | 'plain';
  /** Chunks of one stream. */
  chunks: number;
  /** Requests in flight at the same time. */
  atOnce: number;
  /** Requests in all. */
  total: number;
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
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void> | void;
}

/** The body of a chat request. The upstream writes `max_tokens` chunks. */
export const requestBody = ({ kind, chunks }: Load): string =>
  JSON.stringify({
    model: kind === 'paced' ? 'paced' : 'unpaced',
    stream: kind !== 'plain',
    max_tokens: chunks,
    messages: [{ role: 'user', content: 'Write something.' }],
  });

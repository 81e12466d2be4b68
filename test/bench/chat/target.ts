export interface Load {
  /** A streamed answer with a chunk a millisecond, one as fast as it goes, or plain JSON. */
  kind: 'paced' | 'unpaced' | 'plain';
  /** Of each stream. */
  chunks: number;
  /** Requests in flight. */
  atOnce: number;
  /** Requests in all. */
  total: number;
}

/** Times are in milliseconds, in no order. */
export interface LoadResult {
  /** From sending a request to the first content of its answer. */
  firstContent: number[];
  /** From the upstream's write of a chunk to its receipt, of each chunk of each stream. */
  lags: number[];
  /** From sending a request to the end of its answer; on Lambda to the end of the invocation. */
  durations: number[];
  /** Of the whole load. */
  seconds: number;
  errors: number;
}

/** What is measured: the upstream itself, or something that runs before it. */
export interface Target {
  name: string;
  /** Its processes, for their CPU and memory; none for the upstream itself. */
  pids: number[];
  /** Processes of its store, which are counted apart. */
  storePids: number[];
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void> | void;
}

/** A chat request. The upstream writes as many chunks as it may write tokens. */
export const requestBody = ({ kind, chunks }: Load): string =>
  JSON.stringify({
    model: kind === 'paced' ? 'paced' : 'unpaced',
    stream: kind !== 'plain',
    max_tokens: chunks,
    messages: [{ role: 'user', content: 'Write something.' }],
  });

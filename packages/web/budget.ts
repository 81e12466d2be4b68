import { FetchError } from './failure.ts';

export interface FetchLimits {
  /** Counts what comes out of decompression, and separately what comes over the wire. */
  maxBytes: number;
  maxRedirects: number;
  /** For each hop: name, connection and TLS. */
  connectMilliseconds: number;
  /** For each hop: from the connection to the head of the answer. */
  firstByteMilliseconds: number;
  /** From the call to the last byte, over all hops. */
  totalMilliseconds: number;
}

export const defaultFetchLimits: Readonly<FetchLimits> = {
  maxBytes: 50_000_000,
  maxRedirects: 5,
  connectMilliseconds: 10_000,
  firstByteMilliseconds: 20_000,
  totalMilliseconds: 60_000,
};

/** The time of one fetch. Its signal aborts with a `FetchError` when a limit passes or the caller gives up. */
export class Budget implements Disposable {
  readonly limits: FetchLimits;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #onCallerAbort = () => this.#abort(new FetchError('aborted'));
  #phase: NodeJS.Timeout | undefined;

  constructor(limits: Partial<FetchLimits> = {}, callerSignal?: AbortSignal) {
    this.limits = { ...defaultFetchLimits, ...limits };
    this.#callerSignal = callerSignal;
    this.#total = this.#expireAfter(this.limits.totalMilliseconds);
    if (callerSignal?.aborted) this.#onCallerAbort();
    callerSignal?.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time of the next phase, and ends that of the phase before. */
  enter(phase: 'connect' | 'firstByte' | 'body'): void {
    clearTimeout(this.#phase);
    if (phase !== 'body') this.#phase = this.#expireAfter(this.limits[`${phase}Milliseconds`]);
  }

  /** What to throw in place of an error that an abort, or the network, caused. */
  explain(error: unknown): FetchError {
    if (this.signal.aborted) return this.signal.reason;
    return error instanceof FetchError ? error : new FetchError('connection', { cause: error });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#total);
    clearTimeout(this.#phase);
    this.#callerSignal?.removeEventListener('abort', this.#onCallerAbort);
  }

  #expireAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#abort(new FetchError('timeout')), milliseconds);
  }

  #abort(reason: FetchError): void {
    this[Symbol.dispose]();
    this.#controller.abort(reason);
  }
}

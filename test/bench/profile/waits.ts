import { percentiles, printTable } from '../figures.ts';
import type { Profiler } from './profiler.ts';

/** What the service's process saw of its requests, in milliseconds. */
interface Seen {
  requests: Phases[];
  /** Each request to the store, from its first byte to the head of its answer. */
  store: number[];
  collections: number[];
  /** By how much the event loop was late. */
  late: { p50: number; p99: number; max: number };
}

interface Phases {
  /** Until its upstream was asked: key, rate and credits. */
  letIn: number;
  /** Until the head of the upstream's answer. */
  upstream: number;
  /** Until the first bytes of the answer were given to Node. */
  written: number;
}

/** Runs in the service's process, so it uses nothing of this file. Its requests are told apart by the port that they go to. */
function watch(storePort: string): void {
  const channels = process.getBuiltinModule('node:diagnostics_channel');
  const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks');
  const { PerformanceObserver, monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
  type Times = { begun: number; asked?: number; headed?: number; written?: number };
  type Client = { getHeader(name: string): unknown };
  type Answer = Record<'write' | 'end', (...given: unknown[]) => unknown>;
  const current = new AsyncLocalStorage<Times>();
  const sent = new WeakMap<object, { at: number; times: Times | undefined }>();
  const all: Times[] = [];
  const store: number[] = [];
  const collections: number[] = [];
  const toStore = (request: Client) => String(request.getHeader('host')).endsWith(`:${storePort}`);
  channels.subscribe('http.server.request.start', (message) => {
    const { response } = message as { response: Answer };
    const times: Times = { begun: performance.now() };
    all.push(times);
    current.enterWith(times);
    for (const name of ['write', 'end'] as const) {
      const original = response[name];
      response[name] = (...given) => {
        times.written ??= performance.now();
        return original.apply(response, given);
      };
    }
  });
  channels.subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: Client };
    const times = current.getStore();
    sent.set(request, { at: performance.now(), times });
    if (times && !toStore(request)) times.asked ??= performance.now();
  });
  channels.subscribe('http.client.response.finish', (message) => {
    const { request } = message as { request: Client };
    const known = sent.get(request);
    if (!known) return;
    if (toStore(request)) store.push(performance.now() - known.at);
    else if (known.times) known.times.headed ??= performance.now();
  });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collections.push(duration);
  }).observe({ entryTypes: ['gc'] });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 1);
  Object.assign(globalThis, {
    forgetWaits() {
      for (const list of [all, store, collections]) list.length = 0;
      delay.reset();
    },
    tellWaits() {
      const requests = all.flatMap(({ begun, asked, headed, written }) =>
        asked && headed && written
          ? [{ letIn: asked - begun, upstream: headed - asked, written: written - headed }]
          : [],
      );
      const { max } = delay;
      const [p50, p99] = [50, 99].map((share) => late(delay.percentile(share)));
      return JSON.stringify({ requests, store, collections, late: { p50, p99, max: late(max) } });
    },
  });
}

export interface Waits {
  forget(): Promise<void>;
  tell(): Promise<Seen>;
}

/** Watches what requests wait for in a process whose inspector is connected; its store listens at this port. */
export async function watchWaits({ evaluate }: Profiler, storePort: string): Promise<Waits> {
  await evaluate(`(${watch})(${JSON.stringify(storePort)})`);
  return {
    forget: async () => void (await evaluate('forgetWaits()')),
    tell: async () => JSON.parse(await evaluate('tellWaits()')) as Seen,
  };
}

/** What was seen under each load, and what the senders saw. */
export type Tails = Map<string, Tail>;

type Tail = Seen & { firstContent: number[] };

/** Prints each wait of the requests, and the waits of the slowest hundredth of them. */
export function printWaits(seen: Tails): void {
  const slowest = (requests: readonly Phases[]) => {
    const total = ({ letIn, upstream, written }: Phases) => letIn + upstream + written;
    const sorted = requests.toSorted((a, b) => total(b) - total(a));
    return sorted.slice(0, Math.ceil(sorted.length / 100));
  };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const both = (values: readonly number[]) => {
    const { p50, p99 } = percentiles(values);
    return `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
  };
  type Of = (one: Tail) => string;
  const phase = (name: keyof Phases): Of => {
    return ({ requests }) => {
      const worst = mean(slowest(requests).map((each) => each[name]));
      return `${both(requests.map((each) => each[name]))}, ${worst.toFixed(1)}`;
    };
  };
  const rows: [string, Of][] = [
    ['first content at its reader, p50 / p99', ({ firstContent }) => both(firstContent)],
    ['let in: p50 / p99, mean of the slowest hundredth', phase('letIn')],
    ["the head of the upstream's answer", phase('upstream')],
    ['first bytes of the answer', phase('written')],
    ['a request to the store, p50 / p99', ({ store }) => both(store)],
    [
      'the event loop was late by, p50 / p99',
      ({ late }) => `${late.p50.toFixed(1)} / ${late.p99.toFixed(1)}`,
    ],
    ['at most', ({ late }) => late.max.toFixed(1)],
    ['garbage collections, p50 / p99', ({ collections }) => both(collections)],
  ];
  printTable(
    ['milliseconds', ...seen.keys()],
    rows.map(([name, of]) => [name, ...[...seen.values()].map(of)]),
  );
}

import { delay } from '@errand/platform';
import { parseEvents, type RunEvent } from '../../support/service.ts';

export interface RunView {
  agentId: string;
  status: string;
  usage: { inputTokens: number; outputTokens: number; audioSeconds: number; credits: string };
  [field: string]: unknown;
}

export interface EntryView {
  at: string;
  kind: string;
  amount: string;
  runId?: string;
  [field: string]: unknown;
}

/** Somebody with a key. Every method but `send` throws at a refusal. */
export interface Caller {
  key: string;
  send(route: string, init?: RequestInit): Promise<Response>;
  read<T>(route: string): Promise<T>;
  post<T>(route: string, body: object | FormData, headers?: Record<string, string>): Promise<T>;
  patch<T>(route: string, body: object): Promise<T>;
  start(body: object | FormData, headers?: Record<string, string>): Promise<string>;
  run(agentId: string): Promise<RunView>;
  /** The newest first. */
  subRuns(parentRunId: string): Promise<RunView[]>;
  events(agentId: string): Promise<RunEvent[]>;
  /** Follows a run to its end. */
  follow(agentId: string, after?: number): Promise<RunEvent[]>;
  credits(): Promise<{ balance: string; entries: EntryView[] }>;
}

export function callWith(baseUrl: string, key: string): Caller {
  const send: Caller['send'] = (route, init = {}) =>
    fetch(new URL(route, baseUrl), {
      ...init,
      headers: { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
  const text = async (route: string, init?: RequestInit) => {
    const response = await send(route, init);
    const body = await response.text();
    if (!response.ok) throw new Error(`${route}: ${response.status} ${body}`);
    return body;
  };
  const json = async <T>(route: string, init?: RequestInit) => JSON.parse(await text(route, init)) as T;
  const post: Caller['post'] = (route, body, headers = {}) =>
    json(
      route,
      body instanceof FormData
        ? { method: 'POST', body, headers }
        : {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'Content-Type': 'application/json', ...headers },
          },
    );
  const runs = '/v1/agents/runs';
  return {
    key,
    send,
    read: json,
    post,
    patch: (route, body) =>
      json(route, {
        method: 'PATCH',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    start: async (body, headers) => (await post<{ agentId: string }>(runs, body, headers)).agentId,
    run: (agentId) => json(`${runs}/${agentId}`),
    subRuns: async (parentRunId) =>
      (await json<{ runs: RunView[] }>(`${runs}?parentRunId=${parentRunId}`)).runs,
    async events(agentId) {
      const page = await json<{ events: { id: number; event: { type: string } }[] }>(
        `${runs}/${agentId}/events`,
      );
      return page.events.map(({ id, event }) => ({ id, ...event }));
    },
    follow: async (agentId, after) =>
      parseEvents(
        await text(`${runs}/${agentId}/stream`, {
          headers: after === undefined ? {} : { 'Last-Event-ID': String(after) },
        }),
      ),
    credits: () => json('/v1/credits'),
  };
}

/** Waits until it holds, for at most 20 s. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await holds()) return;
    await delay(50);
  }
  throw new Error(`it never came to this: ${what}`);
}

/** A decimal string of EUR in nano-euro, without rounding. */
export function toNanoEuro(decimal: string): number {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(decimal) ?? [];
  if (whole === '') throw new Error(`${decimal} is no amount`);
  return Number(`${sign}1`) * (Number(whole) * 1e9 + Number(part.padEnd(9, '0')));
}

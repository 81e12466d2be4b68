import { delay } from '@errand/platform';
import { createParser } from 'eventsource-parser';
import type { Fleet } from './fleet.ts';

export interface Caller {
  fleet: Fleet;
  key: string;
  /** The address of the tools that act. */
  deskUrl: string;
  /** Aborts when the storm gives up waiting. */
  signal: AbortSignal;
}

export interface FollowedRun {
  label: string;
  agentId?: string;
  events: { id: number; type: string; [field: string]: unknown }[];
}

/** The tokens that a chat's usage said. Undefined if its answer did not arrive. */
export type Usage = { prompt_tokens: number; completion_tokens: number } | undefined;

const pauseMilliseconds = 200;
const terminal = new Set(['done', 'input_required', 'error']);

/** Creates a run, twice at once, and follows it to its end, as often as either breaks. */
export async function ask(caller: Caller, run: FollowedRun, body: object): Promise<void> {
  run.agentId = await insist(caller, async () => {
    const [one, other] = await Promise.all([1, 2].map(() => create(caller, run.label, body)));
    if (one !== other) throw new Error('two runs of one key');
    return one;
  });
  await insist(caller, () => follow(caller, run));
}

async function create(caller: Caller, label: string, body: object): Promise<string> {
  const response = await send(caller, '/v1/agents/runs', {
    method: 'POST',
    headers: { 'Idempotency-Key': label },
    body: JSON.stringify(body),
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { agentId: string }).agentId;
}

/** Sends the creation of an approved run again, without its key. A run that it makes is one that no caller knows. */
export const approveAgain = (caller: Caller, body: object): Promise<void> =>
  insist(caller, async () => {
    const response = await send(caller, '/v1/agents/runs', { method: 'POST', body: JSON.stringify(body) });
    if (response.status >= 500) throw new Error(`${response.status}`);
  });

/** Lets an address hear of the ends of the key's runs. */
export async function subscribe(caller: Caller, url: string): Promise<void> {
  const body = JSON.stringify({ url, events: ['run.succeeded', 'run.failed', 'run.awaiting_input'] });
  const response = await send(caller, '/v1/webhooks', { method: 'POST', body });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

/** Stores an agent that runs are by. */
export async function storeAgent(caller: Caller, agent: object): Promise<void> {
  const body = JSON.stringify(agent);
  const response = await send(caller, '/v1/agents', { method: 'POST', body });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
}

async function follow(caller: Caller, run: FollowedRun): Promise<void> {
  const last = run.events.at(-1)?.id;
  const response = await send(caller, `/v1/agents/runs/${run.agentId}/stream`, {
    headers: last === undefined ? {} : { 'Last-Event-ID': String(last) },
  });
  // The reader has seen the end, though the stream broke right after it.
  if (response.status === 204) return;
  if (response.status !== 200) throw new Error(`${response.status}`);
  const parser = createParser({
    onEvent: ({ id, data }) => {
      run.events.push({ id: Number(id), ...(JSON.parse(data) as { type: string }) });
    },
  });
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) parser.feed(text);
  if (!terminal.has(String(run.events.at(-1)?.type))) throw new Error('the stream ended before the run');
}

/** A completion in one piece, once. */
export async function chat(caller: Caller, number: number): Promise<Usage> {
  const response = await send(caller, '/v1/chat/completions', chatBody(number, false));
  if (response.status !== 200) throw new Error(`${response.status}`);
  return ((await response.json()) as { usage: Usage }).usage;
}

/** A streamed completion, once. Resolves with what its last chunk said, whether or not the answer was whole. */
export async function streamChat(caller: Caller, number: number): Promise<Usage> {
  const response = await send(caller, '/v1/chat/completions', chatBody(number, true));
  if (response.status !== 200) throw new Error(`${response.status}`);
  let usage: Usage;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') usage = (JSON.parse(data) as { usage?: Usage }).usage ?? usage;
    },
  });
  const { body } = response;
  try {
    for await (const text of body!.pipeThrough(new TextDecoderStream())) parser.feed(text);
  } catch (error) {
    if (usage === undefined) throw error;
  }
  return usage;
}

const chatBody = (number: number, stream: boolean): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({
    model: 'writer',
    stream,
    messages: [{ role: 'user', content: `[chat ${number}]` }],
  }),
});

function send({ fleet, key, signal }: Caller, route: string, init: RequestInit): Promise<Response> {
  const urls = fleet.baseUrls();
  const url = urls[Math.floor(Math.random() * urls.length)];
  if (url === undefined) return Promise.reject(new Error('no API runs'));
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...init.headers };
  return fetch(`${url}${route}`, { ...init, headers, signal });
}

async function insist<T>(caller: Caller, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      caller.signal.throwIfAborted();
      await delay(pauseMilliseconds);
    }
  }
}

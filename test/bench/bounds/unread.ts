import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@errand/platform';

/** Longer than a client that reads nothing is waited for. */
const heldMilliseconds = limits.streamStallMilliseconds + 10_000;
const atOnce = 2;

/** A request whose answer nobody reads. `times` sends it so often on one connection, without waiting. */
export interface Unread {
  method: string;
  path: string;
  body?: object;
  accept?: string;
  times?: number;
}

/** What of a service answers with much: streams of completions, of runs and of tools, kept responses, plain answers. */
export function unreadRequests(run: string, response: string): Unread[] {
  const messages = [{ role: 'user', content: 'Flood' }];
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const accept = 'application/json, text/event-stream';
  const getRun = { name: 'get_run', arguments: { id: run }, _meta: { progressToken: 'p'.repeat(128) } };
  const ask = { name: 'ask', arguments: { question: 'Flood' }, _meta: { progressToken: 1 } };
  return [
    { method: 'POST', path: '/v1/chat/completions', body: { model: 'writer', stream: true, messages } },
    { method: 'POST', path: '/v1/chat/completions', body: { model: 'writer', messages } },
    { method: 'POST', path: '/v1/responses', body: { model: 'writer', stream: true, input: 'Flood' } },
    { method: 'GET', path: `/v1/responses/${response}?stream=true` },
    { method: 'GET', path: `/v1/responses/${response}`, times: 20 },
    { method: 'GET', path: `/v1/agents/runs/${run}/stream` },
    { method: 'GET', path: `/v1/agents/runs/${run}`, times: 20 },
    { method: 'GET', path: `/v1/agents/runs/${run}/events`, times: 20 },
    { method: 'POST', path: '/mcp', accept, body: { ...call, params: getRun } },
    { method: 'POST', path: '/mcp', accept, body: { ...call, params: getRun }, times: 20 },
    { method: 'POST', path: '/mcp', accept, body: { ...call, params: ask } },
    { method: 'GET', path: '/openapi.json', times: 50 },
  ];
}

/** Keeps some of each request waiting for a reader, until the signal. Resolves with how many there were. */
export async function leaveUnread(
  { baseUrl, key }: { baseUrl: string; key: string },
  requests: readonly Unread[],
  signal: AbortSignal,
): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  let sent = 0;
  const keepOne = async (text: string, times: number) => {
    while (!signal.aborted) {
      // Nothing reads from a socket without a listener.
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.write(text.repeat(times));
      sent += times;
      await sleep(heldMilliseconds, undefined, { signal }).catch(() => {});
      socket.destroy();
    }
  };
  const all = requests.map((request) => ({ text: textOf(request, key), times: request.times ?? 1 }));
  await Promise.all(
    all.flatMap(({ text, times }) => Array.from({ length: atOnce }, () => keepOne(text, times))),
  );
  return sent;
}

function textOf({ method, path, body, accept = '*/*' }: Unread, key: string): string {
  const json = body ? JSON.stringify(body) : '';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    `Accept: ${accept}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${json}`;
}

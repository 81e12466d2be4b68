import { setTimeout as delay } from 'node:timers/promises';
import { startStrangeServer } from '../remote-tools/support/strange-server.ts';
import { sendJson } from '../support/local-server.ts';

export const deskLabel = 'desk';

const inputSchema = { type: 'object', properties: { label: { type: 'string' } } };
const tools = [
  { name: 'order', description: 'Orders something, each time anew.', inputSchema },
  { name: 'look', description: 'Looks something up.', inputSchema, annotations: { readOnlyHint: true } },
];
const workMilliseconds = 400;

/** A server of tools: one acts each time that it is called, the other one only reads. */
export async function startDesk() {
  const orders = new Map<string, number>();
  const server = await startStrangeServer();
  server.answers['tools/list'] = () => ({ tools });
  server.answers['tools/call'] = ({ id, params }, response) => {
    server.seen.length = 0;
    const label = String(params?.arguments?.label);
    if (params?.name === 'order') orders.set(label, (orders.get(label) ?? 0) + 1);
    const result = { content: [{ type: 'text', text: `${params?.name} ${label}` }] };
    void delay(workMilliseconds).then(() => sendJson(response, 200, { jsonrpc: '2.0', id, result }));
    return undefined;
  };
  return {
    url: server.url,
    host: server.host,
    /** How often each run's order was made, by the run's label. */
    orders: orders as ReadonlyMap<string, number>,
    close: server.stop,
  };
}

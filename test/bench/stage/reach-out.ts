import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { toSqsRecord } from '@errand/platform/testing';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import { publicSiteAt, secureSite } from '../../support/lambda/public-site.ts';
import { type Receiver, startReceiver } from '../../webhooks/support/receiver.ts';
import { post, read } from './use-functions.ts';

/** A function that sends to a receiver on this machine, for endpoints of the stage's key. */
export interface Sending {
  webhooks: CloudFunction;
  /** Handles what is in the queue of webhooks, until so many have arrived. Returns in how many batches. */
  sendUntil(count: number): Promise<number>;
  received(): number;
  close(): Promise<void>;
}

/** The environment of a process in which `secureSite` is the receiver. */
export const environmentFor = (receiver: Receiver): Record<string, string> =>
  publicSiteAt(Number(new URL(receiver.url).port));

/** Makes an endpoint that hears of every run from now on, and returns its id. */
export async function listen(agents: CloudFunction): Promise<string> {
  const made = await read(
    post(agents, '/v1/webhooks', { url: `${secureSite}/`, events: ['run.succeeded', 'run.failed'] }),
  );
  return (JSON.parse(made.toString()) as { id: string }).id;
}

/** Handles what is in the queue of webhooks now. */
export async function sendOnce(cloud: Cloud, webhooks: CloudFunction): Promise<void> {
  const { Messages = [] } = await cloud.clients.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: cloud.webhookQueueUrl,
      WaitTimeSeconds: 5,
      MessageSystemAttributeNames: ['All'],
    }),
  );
  const Records = Messages.map((message) => toSqsRecord(message, 'arn:aws:sqs:a:0:errand-webhooks'));
  const { chunks, failure } = webhooks.invoke({ Records }, { milliseconds: 60_000 });
  for await (const _ of chunks);
  const failed = await failure;
  if (failed) throw new Error(JSON.stringify(failed));
}

export async function startSending(cloud: Cloud): Promise<Sending> {
  const receiver = await startReceiver({ secure: true });
  const webhooks = await cloud.start('webhooks', { environment: environmentFor(receiver) });
  return {
    webhooks,
    async sendUntil(count) {
      let batches = 0;
      for (; receiver.received.length < count; batches++) await sendOnce(cloud, webhooks);
      return batches;
    },
    received: () => receiver.received.length,
    close: () => receiver.close(),
  };
}

/** Calls a tool of the MCP server, and returns the answer as it came. */
export const callTool = async (mcp: CloudFunction, name: string, args: object): Promise<Buffer> =>
  read(
    mcp.request('/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    }),
  );

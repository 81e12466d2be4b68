import type { buildApp } from 'fauxqs';

/**
 * fauxqs 1.9 goes on with a long poll after its client has gone, and gives it the next message. The message would stay
 * hidden until its visibility timeout ends. This hook makes it visible again at once.
 */
export function returnUndelivered(app: ReturnType<typeof buildApp>): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    const { socket } = request.raw;
    const isGone = socket.destroyed || !socket.writable;
    const isReceive = request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage';
    if (!isGone || !isReceive || typeof payload !== 'string') return payload;
    const { QueueUrl } = request.body as { QueueUrl: string };
    const { Messages = [] } = JSON.parse(payload) as { Messages?: { ReceiptHandle: string }[] };
    for (const { ReceiptHandle } of Messages) {
      await app.inject({
        method: 'POST',
        url: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'AmazonSQS.ChangeMessageVisibility',
          // Without `??`, the header would say "undefined".
          authorization: request.headers.authorization ?? '',
        },
        payload: JSON.stringify({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
      });
    }
    return payload;
  });
}

import { changeVisibility, type QueueApp } from './change-visibility.ts';

/**
 * fauxqs 1.9 goes on with a long poll after its client has gone, and gives it the next message. The message would stay
 * hidden until its visibility timeout ends. This hook makes it visible again at once.
 */
export function returnUndelivered(app: QueueApp): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    const { socket } = request.raw;
    const isGone = socket.destroyed || !socket.writable;
    const isReceive = request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage';
    if (!isGone || !isReceive || typeof payload !== 'string') return payload;
    const { QueueUrl } = request.body as { QueueUrl: string };
    const { Messages = [] } = JSON.parse(payload) as { Messages?: { ReceiptHandle: string }[] };
    for (const { ReceiptHandle } of Messages)
      await changeVisibility(
        app,
        { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 },
        request.headers.authorization,
      );
    return payload;
  });
}

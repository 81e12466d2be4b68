import type { buildApp } from 'fauxqs';

export type QueueApp = ReturnType<typeof buildApp>;

/** Sets how long a received message stays hidden from now on, without a request over the network. */
export async function changeVisibility(
  app: QueueApp,
  message: { QueueUrl: string; ReceiptHandle: string; VisibilityTimeout: number },
  authorization?: string,
): Promise<void> {
  await app.inject({
    method: 'POST',
    url: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.ChangeMessageVisibility',
      ...(authorization && { authorization }),
    },
    payload: JSON.stringify(message),
  });
}
